// The facts about synchronisation operations (sync.h).  Their meaning is in sync_rules.c.
#include "ir/sync.h"

#define ACQUIRES .mover = IR_RIGHT_MOVER, .happens = IR_ORDERS_AFTER
#define RELEASES .mover = IR_LEFT_MOVER, .happens = IR_ORDERS_BEFORE

const ir_sync ir_sync_table[IR_NUM_OPS] = {
    [IR_ATOMIC_BEGIN] = {IR_F_REGION, IR_A_ACQUIRE, .word = "atomic_begin"},
    [IR_ATOMIC_END] = {IR_F_REGION, IR_A_RELEASE, .word = "atomic_end"},

    [IR_THREAD_CREATE] = {IR_F_THREAD, IR_A_START, .happens = IR_ORDERS_BEFORE, .word = "create"},
    [IR_THREAD_JOIN] = {IR_F_THREAD, IR_A_JOIN, .blocks = true, ACQUIRES, .word = "join"},
    [IR_THREAD_DETACH] = {IR_F_THREAD, IR_A_DETACH, .word = "detach"},
    [IR_THREAD_EXIT] = {IR_F_THREAD, IR_A_END, .happens = IR_ORDERS_BEFORE, .word = "end"},
    [IR_THREAD_SELF] = {IR_F_THREAD, IR_A_NAME},

    [IR_MUTEX_INIT] = {IR_F_MUTEX, IR_A_INIT, .word = "init"},
    [IR_MUTEX_LOCK] = {IR_F_MUTEX, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .word = "lock"},
    [IR_MUTEX_TRYLOCK] = {IR_F_MUTEX, IR_A_TRY, ACQUIRES, .word = "trylock"},
    [IR_MUTEX_TIMEDLOCK] = {IR_F_MUTEX, IR_A_TIMED, ACQUIRES, .word = "timedlock"},
    [IR_MUTEX_UNLOCK] = {IR_F_MUTEX, IR_A_RELEASE, RELEASES, .word = "unlock"},
    [IR_MUTEX_DESTROY] = {IR_F_MUTEX, IR_A_DESTROY, .word = "destroy"},

    [IR_RW_INIT] = {IR_F_RWLOCK, IR_A_INIT, .word = "init"},
    [IR_RW_RDLOCK] = {IR_F_RWLOCK, IR_A_ACQUIRE, .shared = true, .blocks = true, ACQUIRES, .word = "rdlock"},
    [IR_RW_WRLOCK] = {IR_F_RWLOCK, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .word = "wrlock"},
    [IR_RW_TRYRDLOCK] = {IR_F_RWLOCK, IR_A_TRY, .shared = true, ACQUIRES, .word = "tryrdlock"},
    [IR_RW_TRYWRLOCK] = {IR_F_RWLOCK, IR_A_TRY, ACQUIRES, .word = "trywrlock"},
    [IR_RW_TIMEDRDLOCK] = {IR_F_RWLOCK, IR_A_TIMED, .shared = true, ACQUIRES, .word = "timedrdlock"},
    [IR_RW_TIMEDWRLOCK] = {IR_F_RWLOCK, IR_A_TIMED, ACQUIRES, .word = "timedwrlock"},
    [IR_RW_UNLOCK] = {IR_F_RWLOCK, IR_A_RELEASE, RELEASES, .word = "unlock"},
    [IR_RW_DESTROY] = {IR_F_RWLOCK, IR_A_DESTROY, .word = "destroy"},

    [IR_SPIN_INIT] = {IR_F_SPIN, IR_A_INIT, .word = "init"},
    [IR_SPIN_LOCK] = {IR_F_SPIN, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .word = "lock"},
    [IR_SPIN_TRYLOCK] = {IR_F_SPIN, IR_A_TRY, ACQUIRES, .word = "trylock"},
    [IR_SPIN_UNLOCK] = {IR_F_SPIN, IR_A_RELEASE, RELEASES, .word = "unlock"},
    [IR_SPIN_DESTROY] = {IR_F_SPIN, IR_A_DESTROY, .word = "destroy"},

    [IR_COND_INIT] = {IR_F_COND, IR_A_INIT, .word = "init"},
    [IR_COND_WAIT] = {IR_F_COND, IR_A_WAIT, .names_mutex = true, RELEASES, .word = "wait"},
    [IR_COND_RESUME] = {IR_F_COND, IR_A_RESUME, .blocks = true, .names_mutex = true, .untouched = true,
                        .needs = IR_WAKES_COND, ACQUIRES, .word = "wake"},
    [IR_COND_TIMEDRESUME] = {IR_F_COND, IR_A_TIMED_RESUME, .blocks = true, .names_mutex = true, .untouched = true,
                             ACQUIRES, .word = "wake"},
    [IR_COND_SIGNAL] = {IR_F_COND, IR_A_WAKE_ONE, .ends = IR_WAKES_COND, .word = "signal"},
    [IR_COND_BROADCAST] = {IR_F_COND, IR_A_WAKE_ALL, .ends = IR_WAKES_COND, .word = "broadcast"},
    [IR_COND_DESTROY] = {IR_F_COND, IR_A_DESTROY, .word = "destroy"},

    [IR_SEM_INIT] = {IR_F_SEM, IR_A_INIT, .ends = IR_WAKES_SEM, .word = "init"},
    [IR_SEM_WAIT] = {IR_F_SEM, IR_A_ACQUIRE, .blocks = true, .needs = IR_WAKES_SEM, .happens = IR_ORDERS_AFTER,
                     .word = "wait"},
    [IR_SEM_TRYWAIT] = {IR_F_SEM, IR_A_TRY, .happens = IR_ORDERS_AFTER, .word = "trywait"},
    [IR_SEM_TIMEDWAIT] = {IR_F_SEM, IR_A_TIMED, .happens = IR_ORDERS_AFTER, .word = "timedwait"},
    [IR_SEM_POST] = {IR_F_SEM, IR_A_RELEASE, .ends = IR_WAKES_SEM, .happens = IR_ORDERS_BEFORE, .word = "post"},
    [IR_SEM_GETVALUE] = {IR_F_SEM, IR_A_READ, .word = "getvalue"},
    [IR_SEM_DESTROY] = {IR_F_SEM, IR_A_DESTROY, .word = "destroy"},

    [IR_BARRIER_INIT] = {IR_F_BARRIER, IR_A_INIT, .word = "init"},
    [IR_BARRIER_ARRIVE] = {IR_F_BARRIER, IR_A_ARRIVE, .ends = IR_WAKES_BARRIER, .happens = IR_ORDERS_BEFORE,
                           .word = "arrive"},
    [IR_BARRIER_RESUME] = {IR_F_BARRIER, IR_A_LEAVE, .blocks = true, .untouched = true, .needs = IR_WAKES_BARRIER,
                           .happens = IR_ORDERS_AFTER, .word = "leave"},
    [IR_BARRIER_DESTROY] = {IR_F_BARRIER, IR_A_DESTROY, .word = "destroy"},

    [IR_ONCE_BEGIN] = {IR_F_ONCE, IR_A_ACQUIRE, .blocks = true, ACQUIRES, .word = "once"},
    [IR_ONCE_END] = {IR_F_ONCE, IR_A_RELEASE, RELEASES, .word = "once_end"},
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
// The kind of a mutex lies where glibc's initialisers put it, which depends on the size of pointers.
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
