// Functions without a body that return pointers to structs: which objects they may return, and what is in them.
#include <assert.h>
#include <pthread.h>

struct account {
  int balance;
  pthread_mutex_t lock;
  pthread_spinlock_t spin;
  struct account *next;
};
struct bank {
  int number;
  struct account first;
};

extern struct account *find_account (void);
extern struct bank *find_bank (void);
struct account own;
static struct account hidden;

static void set (struct account *a, int to) {
  pthread_mutex_lock (&a->lock);
  a->balance = to;
  pthread_mutex_unlock (&a->lock);
}

static void *work (void *unused) {
#if defined LOCKED
  struct account *a = find_account ();
  set (a, 1);
#elif defined OWN || defined HIDDEN || defined NESTED
  find_account ()->balance = 1;
#elif defined TWICE
  pthread_mutex_lock (&find_account ()->lock);
  find_account ()->balance = 1;
#elif defined LINKED
  struct account *a = find_account ();
  if (a != &own) a->next->balance = 1;
#elif defined CONTENTS
  assert (find_account ()->balance != 1000);
#elif defined SAME
  struct account *a = find_account ();
  int once = a->balance;
  assert (a->balance == once);
  pthread_spin_lock (&a->spin);
  pthread_spin_unlock (&a->spin);
#endif
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
#if defined LOCKED || defined TWICE || defined LINKED
  set (find_account (), 2);
#elif defined OWN
  own.balance = 2;
#elif defined HIDDEN
  hidden.balance = 2;
#elif defined NESTED
  find_bank ()->first.balance = 2;
#endif
  pthread_join (thread, NULL);
  return 0;
}
