// Each thread says in a flag of its own that it is inside; nothing keeps both from being inside (with ALONE, an exchange of
// `taken` does).
#include <lockstep.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside[2], taken;
static int balance;

static void *work (void *arg) {
  atomic_int *mine = &inside[(long) arg];
  lockstep_owned_while (balance, *mine, 1);
#ifdef ALONE
  if (atomic_exchange (&taken, 1)) return NULL;
#endif
  atomic_store (mine, 1);
  balance++;
  atomic_store (mine, 0);
#ifdef ALONE
  atomic_store (&taken, 0);
#endif
  return NULL;
}

int main (void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create (&t[i], NULL, work, (void *) i);
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  return 0;
}
