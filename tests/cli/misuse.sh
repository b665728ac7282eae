# Synchronisation objects that are initialised or destroyed while threads wait at them or hold them: every engine that
# searches finds it, and the interpreter confirms it with the same words.
. "$(dirname "$0")/lib.sh"

# make NAME OBJECT THREAD MAIN: main starts a thread and ends the process itself, so that nothing happens after MAIN
make () {
  cat >"$1.c" <<END
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
$2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct timespec now;
static void *f (void *a) { $3; return a; }
int main (void) {
  pthread_t t;
  $4;
  exit (now.tv_sec != 0);
}
END
}

# expect NAME TEXT ENGINE...
expect () {
  name=$1 text=$2
  shift 2
  for engine in "$@"; do
    try 10 "$LOCKSTEP" check --engine="$engine" --property=locks --timeout=30 "$name.c"
    out_has "$text"
    err_lacks 'internal error'
  done
}

searching='explicit order circuit'
start='pthread_create (&t, 0, f, 0)'
wait='pthread_mutex_lock (&m); pthread_cond_wait (&o, &m); pthread_mutex_unlock (&m)'
timed='pthread_mutex_lock (&m); pthread_cond_timedwait (&o, &m, &now); pthread_mutex_unlock (&m)'

make barrier-destroy 'static pthread_barrier_t o' 'pthread_barrier_wait (&o)' \
  "pthread_barrier_init (&o, 0, 2); $start; pthread_barrier_destroy (&o)"
expect barrier-destroy 'destruction of the barrier .o., which is in use' $searching auto
make barrier-init 'static pthread_barrier_t o' 'pthread_barrier_wait (&o)' \
  "pthread_barrier_init (&o, 0, 2); $start; pthread_barrier_init (&o, 0, 3)"
expect barrier-init 'initialisation of the barrier .o., which is in use' $searching auto random
make cond-destroy 'static pthread_cond_t o' "$wait" "pthread_cond_init (&o, 0); $start; pthread_cond_destroy (&o)"
expect cond-destroy 'destruction of the condition variable .o., which is in use' $searching
make cond-init 'static pthread_cond_t o' "$wait" "pthread_cond_init (&o, 0); $start; pthread_cond_init (&o, 0)"
expect cond-init 'initialisation of the condition variable .o., which is in use' $searching random
make cond-timed 'static pthread_cond_t o' "$timed" "pthread_cond_init (&o, 0); $start; pthread_cond_init (&o, 0)"
expect cond-timed 'initialisation of the condition variable .o., which is in use' $searching
# A semaphore has no list of waiting threads: a thread that goes on uses what has been destroyed.
make sem-destroy 'static sem_t o' 'sem_wait (&o)' "sem_init (&o, 0, 0); $start; sem_destroy (&o); pthread_join (t, 0)"
expect sem-destroy 'use of the destroyed semaphore .o.' $searching

for lock in 'mutex lock' 'rwlock wrlock' 'rwlock rdlock' 'spin lock'; do
  kind=${lock% *} take=${lock#* } type=pthread_${lock% *}_t
  if [ $kind = spin ]; then type=pthread_spinlock_t; fi
  for which in destroy,destruction init,initialisation; do
    argument=; if [ ${which%,*} = init ]; then argument=', 0'; fi
    make $kind-$take-${which%,*} "static $type o" "pthread_${kind}_$take (&o); pthread_${kind}_unlock (&o)" \
      "pthread_${kind}_init (&o, 0); $start; pthread_${kind}_${which%,*} (&o$argument)"
    expect $kind-$take-${which%,*} "${which#*,} of the held .* .o." $searching
  done
done

# When all waiting threads have been let go, the object may be destroyed and initialised again.
make barrier-over 'static pthread_barrier_t o' 'pthread_barrier_wait (&o)' "pthread_barrier_init (&o, 0, 2); $start;
  pthread_barrier_wait (&o); pthread_barrier_destroy (&o); pthread_barrier_init (&o, 0, 1)"
make cond-over 'static int gone; static pthread_cond_t o' \
  'pthread_mutex_lock (&m); while (!gone) pthread_cond_wait (&o, &m); pthread_mutex_unlock (&m)' \
  "pthread_cond_init (&o, 0); $start; pthread_mutex_lock (&m); gone = 1; pthread_cond_broadcast (&o);
  pthread_mutex_unlock (&m); pthread_join (t, 0); pthread_cond_destroy (&o); pthread_cond_init (&o, 0)"
for name in barrier-over cond-over; do
  for engine in explicit circuit; do
    try 0 "$LOCKSTEP" check --engine=$engine --property=locks --timeout=30 $name.c
  done
done
