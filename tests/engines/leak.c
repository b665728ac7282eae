// --property=leak: memory to which no pointer leads when the program ends.
//   (nothing)  freed, or kept in a global, or owned by a thread that still runs, or by the result of one that nobody has joined yet
//   LOST       the last pointer to it is overwritten          LOCAL    ... or was a local variable of main
//   CHAIN      the head of a list is lost, and the rest with it
//   RACY       two threads keep theirs in one place: one is lost if nobody sees the other's
//   EXITS      a variable of a function that has not returned, when it calls exit
//   ABORTS     what an abort leaves behind does not count
//   FREED      main frees the one that is kept: with --leaks=all, too, there is no leak
//   LAST       main ends by pthread_exit, and the last thread loses its memory
#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; };

static void *kept;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work (void *arg) {
  char *mine = malloc (4);
  pthread_mutex_lock (&m);
#ifdef RACY
  kept = mine;
  mine = NULL;
#else
  if (!kept) {
    kept = mine;
    mine = NULL;
  }
#endif
  pthread_mutex_unlock (&m);
#ifndef LAST
  free (mine);
#endif
  return arg;
}

#ifdef EXITS
static void leave (void) {
  void *held = malloc (3);
  exit (held == NULL);
}
#endif

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, work, NULL);
  pthread_create (&u, NULL, work, NULL);
#if defined LOST
  void *p = malloc (10);
  p = NULL;
  if (p) return 1;
#elif defined LOCAL
  void *p = malloc (11);
  if (!p) return 1;
#elif defined CHAIN
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc (sizeof *n);
    n->next = head;
    head = n;
  }
#elif defined EXITS
  leave ();
#elif defined ABORTS
  void *p = malloc (12);
  p = NULL;
  if (!p) abort ();
#elif defined LAST
  pthread_exit (NULL);
#endif
  pthread_join (t, NULL);
  pthread_join (u, NULL);
#ifdef FREED
  free (kept);
#endif
  return 0;
}
