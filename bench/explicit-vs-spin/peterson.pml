// As peterson.c.
#ifndef ROUNDS
#define ROUNDS 100
#endif

int wants[2], turn, inside;

proctype worker (int me)
{
  int round;
  do
  :: wants[me] = 1;
     turn = 1 - me;
     do
     :: !wants[1 - me] -> break
     :: wants[1 - me] ->
        if
        :: turn != 1 - me -> break
        :: turn == 1 - me
        fi
     od;
     inside = round;
     assert (inside == round);
     d_step { wants[me] = 0; round = (round + 1) % ROUNDS }
  od
}

init { run worker (0); run worker (1); _nr_pr == 1 }
