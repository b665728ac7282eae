// More loops inside of each other than the engine order keeps apart: it says so.
extern _Bool __VERIFIER_nondet_bool (void);
#define TWICE while (__VERIFIER_nondet_bool ()) while (__VERIFIER_nondet_bool ())
#define MANY TWICE TWICE TWICE TWICE TWICE TWICE TWICE TWICE TWICE
int main (void)
{
  int n = 0;
  MANY n = 1;
  return n;
}
