// As rwlock.c: the lock counts its readers and names its writer.
#define READERS 3
#ifndef VALUES
#define VALUES 8
#endif

int readers, writer_in, x, y, noted[READERS];

proctype reader (int me)
{
  int t;
  do
  :: d_step { writer_in == 0 -> readers++ };
     t = x;
     d_step { noted[me] = t; t = 0 };
     t = y;
     d_step { assert (t == noted[me]); t = 0 };
     readers--
  od
}

proctype writer (int me)
{
  int t;
  do
  :: d_step { writer_in == 0 && readers == 0 -> writer_in = me + 1 };
     t = x;
     d_step { x = (t + 1) % VALUES; t = 0 };
     t = y;
     d_step { y = (t + 1) % VALUES; t = 0 };
     writer_in = 0
  od
}

init
{
  run reader (0);
  run reader (1);
  run reader (2);
  run writer (3);
  run writer (4);
  _nr_pr == 1
}
