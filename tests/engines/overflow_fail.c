// Signed arithmetic may leave its range: only --property=overflow says so.
extern int lockstep_nondet_int (void);

int main (void) {
  int x = lockstep_nondet_int ();
  return x + 1 > x;
}
