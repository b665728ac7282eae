// What the models share: mutexes, and a main that creates N threads one by one and waits for them in turn.
// A model includes this first and defines `worker` and `look_at_results`.
#ifndef N
#define N 3
#endif

// Data that only one process at a time can reach, because of a lock or of the phase the program is in.  With
// -DANNOTATED SPIN is told so and treats accesses to it as local; it cannot infer that.
#ifdef ANNOTATED
#define OWNED local
#else
#define OWNED
#endif

#define LOCK(mutex) atomic { !mutex -> mutex = true }
#define UNLOCK(mutex) mutex = false

bool ended[N];   // a thread sets its own with its last step and then stands at `end: false`

inline create_all ()
{
  do
  :: atomic { i < N - 1 -> run worker (i); i++ }
  :: atomic { i == N - 1 -> run worker (i); i = 0; break }
  od
}

// When the last has ended main is alone, and what it still does is one step.
inline join_all ()
{
  do
  :: d_step { i < N - 1 && ended[i] -> i++ }
  :: atomic { i == N - 1 && ended[i] -> look_at_results (); break }
  od
}
