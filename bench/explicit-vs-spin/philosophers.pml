// As philosophers.c: a fork holds the number of its owner, 0 when it lies on the table.
#ifndef N
#define N 5
#endif
#ifndef MEALS
#define MEALS 3
#endif
#ifndef COUNTING
#define COUNTING N
#endif

int owner[N], plates[N];

proctype philosopher (int me, first, second)
{
  int meal;
  do
  :: d_step { owner[first] == 0 -> owner[first] = me + 1 };
     d_step { owner[second] == 0 -> owner[second] = me + 1 };
     plates[me] = meal;
     assert (plates[me] == meal);
     owner[second] = 0;
     d_step { owner[first] = 0; meal = (me < COUNTING -> (meal + 1) % MEALS : 0) }
  od
}

init
{
  run philosopher (0, 0, 1);
  run philosopher (1, 1, 2);
  run philosopher (2, 2, 3);
  run philosopher (3, 3, 4);
#if N == 7
  run philosopher (4, 4, 5);
  run philosopher (5, 5, 6);
#endif
#ifdef POLITE
  run philosopher (N - 1, 0, N - 1);
#else
  run philosopher (N - 1, N - 1, 0);
#endif
  _nr_pr == 1
}
