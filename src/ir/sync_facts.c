// The facts about synchronisation operations (sync.h).  sync_rules.c has the rules, which define what they do.
#include "ir/sync.h"

#define ACQUIRES .mover = IR_RIGHT_MOVER, .happens = IR_ORDERS_AFTER
#define RELEASES .mover = IR_LEFT_MOVER, .happens = IR_ORDERS_BEFORE

const ir_sync ir_sync_table[IR_NUM_OPS] = {
    [IR_ATOMIC_BEGIN] = {IR_F_REGION, IR_A_ACQUIRE, .step = IR_STEP_ATOMIC_BEGIN},
    [IR_ATOMIC_END] = {IR_F_REGION, IR_A_RELEASE, .step = IR_STEP_ATOMIC_END},

    [IR_THREAD_CREATE] = {IR_F_THREAD, IR_A_START, .happens = IR_ORDERS_BEFORE, .step = IR_STEP_CREATE},
    [IR_THREAD_JOIN] = {IR_F_THREAD, IR_A_JOIN, .blocks = true, ACQUIRES, .step = IR_STEP_JOIN},
    [IR_THREAD_DETACH] = {IR_F_THREAD, IR_A_DETACH, .step = IR_STEP_DETACH},
    [IR_THREAD_EXIT] = {IR_F_THREAD, IR_A_END, .happens = IR_ORDERS_BEFORE, .step = IR_STEP_END},
    [IR_THREAD_SELF] = {IR_F_THREAD, IR_A_NAME},

    [IR_MUTEX_INIT] = {IR_F_MUTEX, IR_A_INIT, .step = IR_STEP_INIT},
    [IR_MUTEX_LOCK] = {IR_F_MUTEX, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .step = IR_STEP_LOCK},
    [IR_MUTEX_TRYLOCK] = {IR_F_MUTEX, IR_A_TRY, ACQUIRES, .step = IR_STEP_TRYLOCK},
    [IR_MUTEX_TIMEDLOCK] = {IR_F_MUTEX, IR_A_TIMED, ACQUIRES, .step = IR_STEP_TIMEDLOCK},
    [IR_MUTEX_UNLOCK] = {IR_F_MUTEX, IR_A_RELEASE, RELEASES, .step = IR_STEP_UNLOCK},
    [IR_MUTEX_DESTROY] = {IR_F_MUTEX, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_RW_INIT] = {IR_F_RWLOCK, IR_A_INIT, .step = IR_STEP_INIT},
    [IR_RW_RDLOCK] = {IR_F_RWLOCK, IR_A_ACQUIRE, .shared = true, .blocks = true, ACQUIRES, .step = IR_STEP_RDLOCK},
    [IR_RW_WRLOCK] = {IR_F_RWLOCK, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .step = IR_STEP_WRLOCK},
    [IR_RW_TRYRDLOCK] = {IR_F_RWLOCK, IR_A_TRY, .shared = true, ACQUIRES, .step = IR_STEP_TRYRDLOCK},
    [IR_RW_TRYWRLOCK] = {IR_F_RWLOCK, IR_A_TRY, ACQUIRES, .step = IR_STEP_TRYWRLOCK},
    [IR_RW_TIMEDRDLOCK] = {IR_F_RWLOCK, IR_A_TIMED, .shared = true, ACQUIRES, .step = IR_STEP_TIMEDRDLOCK},
    [IR_RW_TIMEDWRLOCK] = {IR_F_RWLOCK, IR_A_TIMED, ACQUIRES, .step = IR_STEP_TIMEDWRLOCK},
    [IR_RW_UNLOCK] = {IR_F_RWLOCK, IR_A_RELEASE, RELEASES, .step = IR_STEP_UNLOCK},
    [IR_RW_DESTROY] = {IR_F_RWLOCK, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_SPIN_INIT] = {IR_F_SPIN, IR_A_INIT, .step = IR_STEP_INIT},
    [IR_SPIN_LOCK] = {IR_F_SPIN, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .step = IR_STEP_LOCK},
    [IR_SPIN_TRYLOCK] = {IR_F_SPIN, IR_A_TRY, ACQUIRES, .step = IR_STEP_TRYLOCK},
    [IR_SPIN_UNLOCK] = {IR_F_SPIN, IR_A_RELEASE, RELEASES, .step = IR_STEP_UNLOCK},
    [IR_SPIN_DESTROY] = {IR_F_SPIN, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_COND_INIT] = {IR_F_COND, IR_A_INIT, .step = IR_STEP_INIT},
    [IR_COND_WAIT] = {IR_F_COND, IR_A_WAIT, .names_mutex = true, RELEASES, .step = IR_STEP_WAIT},
    [IR_COND_RESUME] = {IR_F_COND, IR_A_RESUME, .blocks = true, .names_mutex = true, .untouched = true,
                        .needs = IR_WAKES_COND, ACQUIRES, .step = IR_STEP_WAKE},
    [IR_COND_TIMEDRESUME] = {IR_F_COND, IR_A_TIMED_RESUME, .blocks = true, .names_mutex = true, .untouched = true,
                             ACQUIRES, .step = IR_STEP_WAKE},
    [IR_COND_SIGNAL] = {IR_F_COND, IR_A_WAKE_ONE, .ends = IR_WAKES_COND, .step = IR_STEP_SIGNAL},
    [IR_COND_BROADCAST] = {IR_F_COND, IR_A_WAKE_ALL, .ends = IR_WAKES_COND, .step = IR_STEP_BROADCAST},
    [IR_COND_DESTROY] = {IR_F_COND, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_SEM_INIT] = {IR_F_SEM, IR_A_INIT, .ends = IR_WAKES_SEM, .step = IR_STEP_INIT},
    [IR_SEM_WAIT] = {IR_F_SEM, IR_A_ACQUIRE, .blocks = true, .needs = IR_WAKES_SEM, .happens = IR_ORDERS_AFTER,
                     .step = IR_STEP_WAIT},
#ifdef IR_TEST_OPERATION
    [IR_SEM_WAIT_TWO] = {IR_F_SEM, IR_A_ACQUIRE, .blocks = true, .needs = IR_WAKES_SEM, .happens = IR_ORDERS_AFTER,
                         .step = IR_STEP_WAIT},
#endif
    [IR_SEM_TRYWAIT] = {IR_F_SEM, IR_A_TRY, .happens = IR_ORDERS_AFTER, .step = IR_STEP_TRYWAIT},
    [IR_SEM_TIMEDWAIT] = {IR_F_SEM, IR_A_TIMED, .happens = IR_ORDERS_AFTER, .step = IR_STEP_TIMEDWAIT},
    [IR_SEM_POST] = {IR_F_SEM, IR_A_RELEASE, .ends = IR_WAKES_SEM, .happens = IR_ORDERS_BEFORE, .step = IR_STEP_POST},
    [IR_SEM_GETVALUE] = {IR_F_SEM, IR_A_READ, .step = IR_STEP_GETVALUE},
    [IR_SEM_DESTROY] = {IR_F_SEM, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_BARRIER_INIT] = {IR_F_BARRIER, IR_A_INIT, .step = IR_STEP_INIT},
    [IR_BARRIER_ARRIVE] = {IR_F_BARRIER, IR_A_ARRIVE, .ends = IR_WAKES_BARRIER, .happens = IR_ORDERS_BEFORE,
                           .step = IR_STEP_ARRIVE},
    [IR_BARRIER_RESUME] = {IR_F_BARRIER, IR_A_LEAVE, .blocks = true, .untouched = true, .needs = IR_WAKES_BARRIER,
                           .happens = IR_ORDERS_AFTER, .step = IR_STEP_LEAVE},
    [IR_BARRIER_DESTROY] = {IR_F_BARRIER, IR_A_DESTROY, .step = IR_STEP_DESTROY},

    [IR_ONCE_BEGIN] = {IR_F_ONCE, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .step = IR_STEP_ONCE},
    [IR_ONCE_END] = {IR_F_ONCE, IR_A_RELEASE, RELEASES, .step = IR_STEP_ONCE_END},
};

const char *ir_family_name (ir_family family) {
  static const char *const names[IR_NUM_FAMILIES] = {
      "",          "mutex",   "rwlock",       "spin lock",     "condition variable",
      "semaphore", "barrier", "once control", "atomic region", "thread"};
  return names[family];
}

bool ir_family_is_lock (ir_family family) {
  return family == IR_F_MUTEX || family == IR_F_RWLOCK || family == IR_F_SPIN;
}

// ---- words -------------------------------------------------------------------------------------------
// The kind of a mutex is missing: its offset is that of glibc's initialisers and depends on the size of pointers.
const uint8_t ir_word_places[IR_NUM_FAMILIES][IR_NUM_WORDS] = {
    [IR_F_MUTEX] =
        {[IR_W_STATE] = IR_MUTEX_STATE + 1, [IR_W_OWNER] = IR_MUTEX_OWNER + 1, [IR_W_COUNT] = IR_MUTEX_COUNT + 1},
    [IR_F_RWLOCK] =
        {[IR_W_STATE] = IR_RW_STATE + 1, [IR_W_OWNER] = IR_RW_WRITER + 1, [IR_W_READERS] = IR_RW_READERS + 1},
    [IR_F_SPIN] = {[IR_W_STATE] = IR_SPIN_OWNER + 1, [IR_W_OWNER] = IR_SPIN_OWNER + 1},
    [IR_F_COND] = {[IR_W_STATE] = IR_COND_STATE + 1},
    [IR_F_SEM] = {[IR_W_STATE] = IR_SEM_STATE + 1, [IR_W_VALUE] = IR_SEM_VALUE + 1},
    [IR_F_BARRIER] = {[IR_W_STATE] = IR_BARRIER_STATE + 1,
                      [IR_W_COUNT] = IR_BARRIER_COUNT + 1,
                      [IR_W_ARRIVED] = IR_BARRIER_ARRIVED + 1},
    [IR_F_ONCE] = {[IR_W_STATE] = IR_ONCE_STATE + 1},
};

uint32_t ir_family_bytes (const ir_program *p, ir_family family) {
  switch (family) {
  case IR_F_MUTEX: return IR_MUTEX_KIND (p) + 4;
  case IR_F_RWLOCK: return IR_RW_WRITER + 4;
  case IR_F_SEM: return IR_SEM_STATE + 4;
  case IR_F_BARRIER: return IR_BARRIER_STATE + 4;
  default: return 4;
  }
}
