// What sscanf finds stands in the text: no other values are invented.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void numbers (void) {
  int a = 0, b = 0, c = 0, at = 0;
  assert (sscanf ("7,8", "%d,%d", &a, &b) == 2 && a == 7 && b == 8);
  assert (sscanf (" -12 0x1f 017", "%i%i%i%n", &a, &b, &c, &at) == 3 && a == -12 && b == 31 && c == 15 && at == 13);
  assert (sscanf ("1234", "%2d%*1d%1d", &a, &b) == 2 && a == 12 && b == 4);
  unsigned char byte = 1;
  long long large = 0;
  assert (sscanf ("255 -9000000000", "%hhu %lld", &byte, &large) == 2 && byte == 255 && large == -9000000000);
  unsigned hex = 0;
  assert (sscanf ("ffz", "%x", &hex) == 1 && hex == 255);
}

static void texts (void) {
  char word[8] = "", rest[8] = "", c = 0;
  int n = 5;
  assert (sscanf ("key = value", "%7[a-z] = %3s%c", word, rest, &c) == 3);
  assert (!strcmp (word, "key") && !strcmp (rest, "val") && c == 'u');
  assert (sscanf ("]x-", "%[]x-]", word) == 1 && !strcmp (word, "]x-"));
  assert (sscanf ("a;b", "%[^;];%s", word, rest) == 2 && !strcmp (rest, "b"));
  assert (sscanf ("", "%d", &n) == EOF && sscanf ("  ", "%s", word) == EOF && sscanf ("x", "%d", &n) == 0 && n == 5);
  assert (sscanf ("5%", "%d%%%d", &n, &n) == 1 && sscanf ("ab", "ac%d", &n) == 0);
}

static void floats (void) {
  float f = 0;
  double d = 0;
  assert (sscanf ("2.5e1 0.5", "%f%lf", &f, &d) == 2 && f == 25 && d == 0.5);
}

int main (void) {
  numbers ();
  texts ();
  floats ();
  return 0;
}
