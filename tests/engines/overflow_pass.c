// Unsigned arithmetic wraps, and signed arithmetic that stays in range is fine.
int main (void) {
  unsigned u = 0;
  int sum = 0;
  u--;
  for (int i = 0; i < 10; i++) sum += i * i;
  return u + 1 == 0 && sum == 285 ? 0 : 1;
}
