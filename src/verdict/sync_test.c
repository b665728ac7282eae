// Every row of the table of operations in docs/formats/ir.md about locks, semaphores, barriers, condition variables and
// once: when the operation is enabled, what it does, and what counts as misuse.
#include "verdict/verdict_test.h"

static ir_reg lock_op (world *w, uint32_t t, ir_op op, ir_object o) {
  ir_reg r = reg (w, t, 32, NULL);
  EMIT (w, t, op, ir_op_table[op].result == 'r' ? r : NONE, at (w, o, 0));
  return r;
}

static void init_mutex (world *w, uint32_t t, ir_object o, ir_mutex_kind kind) {
  EMIT (w, t, IR_MUTEX_INIT, NONE, at (w, o, 0), number (w, 32, kind));
}

// ---- mutex ---------------------------------------------------------------------------------------------

static void mutex_excludes (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object m = world_object (&w, "m", 40);
  ir_reg got = lock_op (&w, 0, IR_MUTEX_LOCK, m), tried = lock_op (&w, 1, IR_MUTEX_TRYLOCK, m),
         timed = lock_op (&w, 1, IR_MUTEX_TIMEDLOCK, m);
  lock_op (&w, 1, IR_MUTEX_LOCK, m);
  lock_op (&w, 0, IR_MUTEX_UNLOCK, m);
  world_start (&w);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, got), 0);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 1);
  assert_int_equal (word_of (&w, m, IR_MUTEX_COUNT), 1);
  assert_int_equal (w.m.threads[0].held.count, 1);
  go (&w, 1, 2);
  assert_int_equal (value_of (&w, 1, tried), EBUSY);
  assert_int_equal (value_of (&w, 1, timed), ETIMEDOUT);
  assert_true (blocked (&w, 1));
  go (&w, 0, 1);
  assert_int_equal (w.m.threads[0].held.count, 0);
  assert_false (blocked (&w, 1));
  go (&w, 1, 1);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 2);
  assert_string_equal (misuse (&w, 1), "thread ends holding {}");
  world_release (&w);
}

static void mutex_relock (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object normal = world_object (&w, "n", 40), recursive = world_object (&w, "r", 40),
            checked = world_object (&w, "e", 40);
  init_mutex (&w, 0, recursive, IR_MUTEX_RECURSIVE);
  init_mutex (&w, 0, checked, IR_MUTEX_ERRORCHECK);
  lock_op (&w, 0, IR_MUTEX_LOCK, recursive);
  ir_reg r = lock_op (&w, 0, IR_MUTEX_LOCK, recursive), r2 = lock_op (&w, 0, IR_MUTEX_TRYLOCK, recursive);
  lock_op (&w, 0, IR_MUTEX_LOCK, checked);
  ir_reg e = lock_op (&w, 0, IR_MUTEX_LOCK, checked), e2 = lock_op (&w, 0, IR_MUTEX_TRYLOCK, checked);
  ir_reg e3 = lock_op (&w, 0, IR_MUTEX_TIMEDLOCK, checked);
  lock_op (&w, 0, IR_MUTEX_UNLOCK, recursive);
  lock_op (&w, 0, IR_MUTEX_LOCK, normal);
  ir_reg n = lock_op (&w, 0, IR_MUTEX_TIMEDLOCK, normal);
  lock_op (&w, 0, IR_MUTEX_LOCK, normal);
  world_start (&w);
  go (&w, 0, 5);
  assert_int_equal (value_of (&w, 0, r), 0);
  assert_int_equal (value_of (&w, 0, r2), 0);
  assert_int_equal (word_of (&w, recursive, IR_MUTEX_COUNT), 3);
  go (&w, 0, 4);
  assert_int_equal (value_of (&w, 0, e), EDEADLK);
  assert_int_equal (value_of (&w, 0, e2), EBUSY);
  assert_int_equal (value_of (&w, 0, e3), EDEADLK);
  go (&w, 0, 1);
  assert_int_equal (word_of (&w, recursive, IR_MUTEX_COUNT), 2);
  assert_int_equal (word_of (&w, recursive, IR_MUTEX_OWNER), 1);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, n), ETIMEDOUT);
  assert_string_equal (misuse (&w, 0), "relock of {}, which this thread already holds");
  assert_true (blocked (&w, 0));
  world_release (&w);
}

static void mutex_unlock_errors (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object normal = world_object (&w, "n", 40), checked = world_object (&w, "e", 40);
  init_mutex (&w, 1, checked, IR_MUTEX_ERRORCHECK);
  lock_op (&w, 1, IR_MUTEX_LOCK, normal);
  lock_op (&w, 1, IR_MUTEX_LOCK, checked);
  ir_reg n = lock_op (&w, 0, IR_MUTEX_UNLOCK, normal), e = lock_op (&w, 0, IR_MUTEX_UNLOCK, checked),
         n2 = lock_op (&w, 0, IR_MUTEX_UNLOCK, normal);
  world_start (&w);
  go (&w, 1, 3);
  assert_string_equal (misuse (&w, 0), "unlock of {}, which is held by another thread");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, n), 0);
  assert_int_equal (word_of (&w, normal, IR_MUTEX_OWNER), 0);
  assert_int_equal (w.m.threads[1].held.count, 1);
  assert_non_null (misuse (&w, 0));
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, e), EPERM);
  assert_int_equal (word_of (&w, checked, IR_MUTEX_OWNER), 2);
  assert_string_equal (misuse (&w, 0), "unlock of {}, which is not held");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, n2), 0);
  world_release (&w);
}

static void mutex_init_and_destroy (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_object m = world_object (&w, "m", 40);
  lock_op (&w, 0, IR_MUTEX_LOCK, m);
  ir_reg busy = lock_op (&w, 0, IR_MUTEX_DESTROY, m);
  init_mutex (&w, 0, m, IR_MUTEX_RECURSIVE);
  ir_reg done = lock_op (&w, 0, IR_MUTEX_DESTROY, m), again = lock_op (&w, 0, IR_MUTEX_LOCK, m);
  world_start (&w);
  go (&w, 0, 1);
  assert_string_equal (misuse (&w, 0), "destruction of the held mutex {}");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, busy), EBUSY);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 1);
  assert_string_equal (misuse (&w, 0), "initialisation of the held mutex {}");
  go (&w, 0, 1);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 0);
  assert_int_equal (word_of (&w, m, IR_MUTEX_KIND (w.p)), IR_MUTEX_RECURSIVE);
  assert_int_equal (w.m.threads[0].held.count, 0);
  assert_null (misuse (&w, 0));
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, done), 0);
  assert_int_equal (word_of (&w, m, IR_MUTEX_STATE), IR_DESTROYED);
  assert_string_equal (misuse (&w, 0), "use of the destroyed mutex {}");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, again), 0);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 1);
  assert_int_equal (word_of (&w, m, IR_MUTEX_KIND (w.p)), IR_MUTEX_NORMAL);
  world_release (&w);
}

static void uninitialised_objects (void **state) {
  (void) state;
  static const struct {
    ir_op op;
    const char *text;
  } cases[] = {{IR_MUTEX_LOCK, "use of the uninitialised mutex {}"},
               {IR_RW_RDLOCK, "use of the uninitialised rwlock {}"},
               {IR_SPIN_LOCK, "use of the uninitialised spin lock {}"},
               {IR_COND_SIGNAL, "use of the uninitialised condition variable {}"},
               {IR_SEM_POST, "use of the uninitialised semaphore {}"},
               {IR_BARRIER_ARRIVE, "use of the uninitialised barrier {}"},
               {IR_ONCE_BEGIN, "use of the uninitialised once control {}"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    world w;
    world_init (&w, 1);
    ir_reg p = reg (&w, 0, 64, "p"), r = reg (&w, 0, 32, NULL);
    ir_edge e = EMIT (&w, 0, IR_ALLOC, p, number (&w, 64, 40));
    ir_edge_at (w.p, e)->aux = IR_ALLOC_HEAP;
    EMIT (&w, 0, cases[i].op, ir_op_table[cases[i].op].result == 'r' ? r : NONE, use (&w, 0, p));
    EMIT0 (&w, 0, IR_NOP, NONE);
    world_start (&w);
    go (&w, 0, 1);
    assert_string_equal (misuse (&w, 0), cases[i].text);
    go (&w, 0, 1);  // the operation treats the object as zero-filled
    assert_false (memory_undefined_all (&w.m, value_of (&w, 0, p), 4));
    world_release (&w);
  }
}

static void sync_objects_are_memory (void **state) {
  (void) state;
  world w;
  world_init (&w, 1);
  ir_reg r = reg (&w, 0, 32, NULL);
  EMIT (&w, 0, IR_MUTEX_LOCK, r, number (&w, 64, 0));
  world_start (&w);
  assert_null (misuse (&w, 0));
  assert_true (machine_enabled (&w.m, 0));
  assert_int_equal (machine_step (&w.m, 0), STEP_VIOLATION);
  assert_int_equal (w.m.fault.property, IR_P_MEMORY);
  assert_int_equal (w.m.fault.kind, IR_FAULT_NULL);
  world_release (&w);
}

// ---- reader-writer lock and spin lock ------------------------------------------------------------------

static void rwlock_readers_and_writer (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object l = world_object (&w, "l", 56);
  lock_op (&w, 0, IR_RW_RDLOCK, l);
  lock_op (&w, 1, IR_RW_RDLOCK, l);
  ir_reg tried = lock_op (&w, 2, IR_RW_TRYWRLOCK, l), timed = lock_op (&w, 2, IR_RW_TIMEDWRLOCK, l);
  lock_op (&w, 2, IR_RW_WRLOCK, l);
  lock_op (&w, 0, IR_RW_UNLOCK, l);
  lock_op (&w, 1, IR_RW_UNLOCK, l);
  ir_reg busy = lock_op (&w, 0, IR_RW_TRYRDLOCK, l), late = lock_op (&w, 0, IR_RW_TIMEDRDLOCK, l);
  lock_op (&w, 0, IR_RW_RDLOCK, l);
  ir_reg own_read = lock_op (&w, 2, IR_RW_RDLOCK, l), own_write = lock_op (&w, 2, IR_RW_WRLOCK, l);
  ir_reg own_try = lock_op (&w, 2, IR_RW_TRYWRLOCK, l), own_timed = lock_op (&w, 2, IR_RW_TIMEDRDLOCK, l);
  lock_op (&w, 2, IR_RW_UNLOCK, l);
  world_start (&w);
  go (&w, 0, 1);
  go (&w, 1, 1);
  assert_int_equal (word_of (&w, l, IR_RW_READERS), 2);
  go (&w, 2, 2);
  assert_int_equal (value_of (&w, 2, tried), EBUSY);
  assert_int_equal (value_of (&w, 2, timed), ETIMEDOUT);
  assert_true (blocked (&w, 2));
  go (&w, 0, 1);
  assert_true (blocked (&w, 2));
  go (&w, 1, 1);
  go (&w, 2, 1);
  assert_int_equal (word_of (&w, l, IR_RW_WRITER), 3);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, busy), EBUSY);
  assert_int_equal (value_of (&w, 0, late), ETIMEDOUT);
  assert_true (blocked (&w, 0));
  go (&w, 2, 4);
  assert_int_equal (value_of (&w, 2, own_read), EDEADLK);
  assert_int_equal (value_of (&w, 2, own_write), EDEADLK);
  assert_int_equal (value_of (&w, 2, own_try), EBUSY);
  assert_int_equal (value_of (&w, 2, own_timed), EDEADLK);
  go (&w, 2, 1);
  assert_int_equal (word_of (&w, l, IR_RW_WRITER), 0);
  assert_false (blocked (&w, 0));
  world_release (&w);
}

static void rwlock_errors (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object l = world_object (&w, "l", 56);
  ir_reg refused = lock_op (&w, 0, IR_RW_UNLOCK, l);
  lock_op (&w, 0, IR_RW_RDLOCK, l);
  lock_op (&w, 1, IR_RW_UNLOCK, l);
  ir_reg busy = lock_op (&w, 0, IR_RW_DESTROY, l);
  lock_op (&w, 0, IR_RW_WRLOCK, l);
  lock_op (&w, 1, IR_RW_INIT, l);
  world_start (&w);
  assert_string_equal (misuse (&w, 0), "unlock of {}, which is not held");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, refused), EPERM);
  go (&w, 0, 1);
  assert_string_equal (misuse (&w, 1), "unlock of {}, which this thread does not hold");
  go (&w, 1, 1);
  assert_int_equal (word_of (&w, l, IR_RW_READERS), 1);
  assert_string_equal (misuse (&w, 0), "destruction of the held rwlock {}");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, busy), EBUSY);
  assert_true (blocked (&w, 0));  // its own read lock blocks it
  assert_string_equal (misuse (&w, 1), "initialisation of the held rwlock {}");
  go (&w, 1, 1);
  assert_false (blocked (&w, 0));
  world_release (&w);
}

static void spin_lock (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object l = world_object (&w, "l", 4);
  lock_op (&w, 0, IR_SPIN_INIT, l);
  lock_op (&w, 0, IR_SPIN_LOCK, l);
  ir_reg tried = lock_op (&w, 1, IR_SPIN_TRYLOCK, l);
  lock_op (&w, 1, IR_SPIN_LOCK, l);
  lock_op (&w, 0, IR_SPIN_LOCK, l);
  lock_op (&w, 1, IR_SPIN_UNLOCK, l);
  lock_op (&w, 1, IR_SPIN_UNLOCK, l);
  lock_op (&w, 1, IR_SPIN_DESTROY, l);
  world_start (&w);
  go (&w, 0, 2);
  go (&w, 1, 1);
  assert_int_equal (value_of (&w, 1, tried), EBUSY);
  assert_true (blocked (&w, 1));
  assert_true (blocked (&w, 0));
  assert_string_equal (misuse (&w, 0), "relock of {}, which this thread already holds");
  memory_write (&w.m, address_make (w.p, l.i, IR_SPIN_OWNER), 4, 0);
  go (&w, 1, 2);
  assert_int_equal (word_of (&w, l, IR_SPIN_OWNER), 0);
  assert_string_equal (misuse (&w, 1), "unlock of {}, which is not held");
  go (&w, 1, 2);
  assert_int_equal (word_of (&w, l, IR_SPIN_OWNER), IR_DESTROYED);
  assert_string_equal (misuse (&w, 0), "use of the destroyed spin lock {}");
  world_release (&w);
}

// ---- condition variables -------------------------------------------------------------------------------

static void emit_wait (world *w, uint32_t t, ir_object c, ir_object m, ir_op resume, ir_reg result) {
  EMIT (w, t, IR_COND_WAIT, NONE, at (w, c, 0), at (w, m, 0));
  EMIT (w, t, resume, result, at (w, c, 0), at (w, m, 0));
}

static void cond_signal_and_broadcast (void **state) {
  (void) state;
  world w;
  world_init (&w, 4);
  ir_object c = world_object (&w, "c", 48), m = world_object (&w, "m", 40);
  for (uint32_t t = 1; t < 4; t++) {
    ir_reg r = lock_op (&w, t, IR_MUTEX_LOCK, m);
    emit_wait (&w, t, c, m, IR_COND_RESUME, r);
    lock_op (&w, t, IR_MUTEX_UNLOCK, m);
  }
  lock_op (&w, 0, IR_COND_SIGNAL, c);
  lock_op (&w, 0, IR_COND_SIGNAL, c);
  lock_op (&w, 0, IR_COND_DESTROY, c);
  lock_op (&w, 0, IR_COND_INIT, c);
  lock_op (&w, 0, IR_COND_BROADCAST, c);
  w.choices[0] = 2;
  w.num_choices = 1;
  world_start (&w);
  go (&w, 0, 1);  // no thread waits: the signal is lost
  assert_int_equal (w.m.woken, IR_NONE);
  for (uint32_t t = 1; t < 4; t++) {
    go (&w, t, 2);
    assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 0);
    assert_true (blocked (&w, t));
  }
  go (&w, 0, 1);  // the choice: thread 2
  assert_int_equal (w.m.woken, 2);
  assert_true (blocked (&w, 1));
  go (&w, 2, 1);
  assert_int_equal (word_of (&w, m, IR_MUTEX_OWNER), 3);
  assert_string_equal (misuse (&w, 0), "destruction of the condition variable {}, which is in use");
  go (&w, 0, 3);
  assert_int_equal (w.m.threads[1].waiting, 0);
  assert_true (blocked (&w, 1));  // the mutex is taken
  go (&w, 2, 1);
  assert_false (blocked (&w, 1));
  world_release (&w);
}

static void cond_timed_and_spurious (void **state) {
  (void) state;
  for (int spurious = 0; spurious < 2; spurious++) {
    world w;
    world_init (&w, 2);
    ir_object c = world_object (&w, "c", 48), m = world_object (&w, "m", 40);
    ir_reg r = lock_op (&w, 0, IR_MUTEX_LOCK, m), s = lock_op (&w, 1, IR_MUTEX_LOCK, m);
    emit_wait (&w, 0, c, m, IR_COND_TIMEDRESUME, r);
    emit_wait (&w, 1, c, m, IR_COND_RESUME, s);
    lock_op (&w, 0, IR_MUTEX_UNLOCK, m);
    EMIT (&w, 0, IR_COND_WAIT, NONE, at (&w, c, 0), at (&w, m, 0));
    w.semantics.spurious_wakeups = spurious;
    world_start (&w);
    w.choices[1] = 1;  // thread 0 waits for a signal, thread 1 does not
    w.num_choices = spurious ? 2 : 0;
    go (&w, 0, 2);
    go (&w, 1, 2);
    assert_int_equal (w.m.threads[1].waiting != 0, !spurious);
    go (&w, 0, 1);
    assert_int_equal (value_of (&w, 0, r), ETIMEDOUT);
    assert_int_equal (w.m.threads[0].waiting, 0);
    go (&w, 0, 1);
    assert_int_equal (blocked (&w, 1), !spurious);
    assert_string_equal (misuse (&w, 0), "wait without holding the mutex {}");
    w.m.semantics.spurious_wakeups = false;
    go (&w, 0, 1);
    assert_int_not_equal (w.m.threads[0].waiting, 0);
    world_release (&w);
  }
}

// ---- semaphores, barriers, once ------------------------------------------------------------------------

static void semaphore (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object s = world_object (&w, "s", 32);
  EMIT (&w, 0, IR_SEM_INIT, NONE, at (&w, s, 0), number (&w, 32, 1));
  ir_reg waited = lock_op (&w, 1, IR_SEM_WAIT, s), tried = lock_op (&w, 1, IR_SEM_TRYWAIT, s),
         timed = lock_op (&w, 1, IR_SEM_TIMEDWAIT, s);
  lock_op (&w, 1, IR_SEM_WAIT, s);
  lock_op (&w, 0, IR_SEM_POST, s);
  ir_reg value = lock_op (&w, 0, IR_SEM_GETVALUE, s);
  lock_op (&w, 0, IR_SEM_DESTROY, s);
  lock_op (&w, 0, IR_SEM_POST, s);
  world_start (&w);
  assert_true (blocked (&w, 1));
  go (&w, 0, 1);
  go (&w, 1, 3);
  assert_int_equal (value_of (&w, 1, waited), 0);
  assert_int_equal (value_of (&w, 1, tried), EAGAIN);
  assert_int_equal (value_of (&w, 1, timed), ETIMEDOUT);
  assert_true (blocked (&w, 1));
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, value), 1);
  assert_false (blocked (&w, 1));
  go (&w, 0, 1);
  assert_string_equal (misuse (&w, 0), "use of the destroyed semaphore {}");
  world_release (&w);
}

static void barrier (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object b = world_object (&w, "b", 32);
  ir_reg early = lock_op (&w, 0, IR_BARRIER_ARRIVE, b);
  EMIT (&w, 0, IR_BARRIER_INIT, NONE, at (&w, b, 0), number (&w, 32, 2));
  ir_reg first = lock_op (&w, 0, IR_BARRIER_ARRIVE, b), last = lock_op (&w, 1, IR_BARRIER_ARRIVE, b);
  lock_op (&w, 0, IR_BARRIER_RESUME, b);
  lock_op (&w, 1, IR_BARRIER_RESUME, b);
  lock_op (&w, 1, IR_BARRIER_DESTROY, b);
  world_start (&w);
  assert_string_equal (misuse (&w, 0), "use of the uninitialised barrier {}");
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, early), EINVAL);
  go (&w, 0, 2);
  assert_int_equal (value_of (&w, 0, first), 0);
  assert_true (blocked (&w, 0));
  go (&w, 1, 1);
  assert_int_equal ((int32_t) value_of (&w, 1, last), -1);
  assert_int_equal (word_of (&w, b, IR_BARRIER_ARRIVED), 0);
  go (&w, 1, 1);
  go (&w, 0, 1);
  go (&w, 1, 1);
  assert_int_equal (word_of (&w, b, IR_BARRIER_STATE), IR_DESTROYED);
  world_release (&w);
}

static void once (void **state) {
  (void) state;
  world w;
  world_init (&w, 2);
  ir_object o = world_object (&w, "o", 4);
  ir_reg runs = lock_op (&w, 0, IR_ONCE_BEGIN, o), skips = lock_op (&w, 1, IR_ONCE_BEGIN, o);
  lock_op (&w, 0, IR_ONCE_END, o);
  world_start (&w);
  go (&w, 0, 1);
  assert_int_equal (value_of (&w, 0, runs), 1);
  assert_true (blocked (&w, 1));
  go (&w, 0, 1);
  go (&w, 1, 1);
  assert_int_equal (value_of (&w, 1, skips), 0);
  assert_int_equal (word_of (&w, o, IR_ONCE_STATE), 2);
  world_release (&w);
}

static void atomic_region (void **state) {
  (void) state;
  world w;
  world_init (&w, 3);
  ir_object m = world_object (&w, "m", 40);
  lock_op (&w, 1, IR_MUTEX_LOCK, m);
  EMIT0 (&w, 1, IR_NOP, NONE);
  lock_op (&w, 1, IR_MUTEX_UNLOCK, m);
  EMIT0 (&w, 0, IR_ATOMIC_BEGIN, NONE);
  EMIT0 (&w, 0, IR_ATOMIC_BEGIN, NONE);
  EMIT0 (&w, 0, IR_ATOMIC_END, NONE);
  lock_op (&w, 0, IR_MUTEX_LOCK, m);
  EMIT0 (&w, 0, IR_ATOMIC_END, NONE);
  EMIT0 (&w, 2, IR_NOP, NONE);
  world_start (&w);
  go (&w, 1, 1);
  go (&w, 0, 2);
  assert_false (machine_enabled (&w.m, 1));
  go (&w, 0, 1);
  assert_true (machine_enabled (&w.m, 1));  // thread 0 is inside, but blocked
  assert_true (machine_enabled (&w.m, 2));
  go (&w, 1, 2);
  assert_false (machine_enabled (&w.m, 2));  // thread 0 can step again
  assert_true (machine_enabled (&w.m, 0));
  go (&w, 0, 2);
  assert_true (machine_enabled (&w.m, 2));
  world_release (&w);
}

TEST_MAIN (cmocka_unit_test (mutex_excludes), cmocka_unit_test (mutex_relock), cmocka_unit_test (mutex_unlock_errors),
           cmocka_unit_test (mutex_init_and_destroy), cmocka_unit_test (uninitialised_objects),
           cmocka_unit_test (sync_objects_are_memory), cmocka_unit_test (rwlock_readers_and_writer),
           cmocka_unit_test (rwlock_errors), cmocka_unit_test (spin_lock), cmocka_unit_test (cond_signal_and_broadcast),
           cmocka_unit_test (cond_timed_and_spurious), cmocka_unit_test (semaphore), cmocka_unit_test (barrier),
           cmocka_unit_test (once), cmocka_unit_test (atomic_region))
