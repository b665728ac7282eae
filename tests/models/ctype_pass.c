// Classes of characters, by macro (table) and by function.
#include <assert.h>
#include <ctype.h>

int main (void) {
  volatile int a = 'a', five = '5', blank = ' ', end = -1;
  assert (isalpha (a) && !isalpha (five) && isdigit (five) && isspace (blank) && isxdigit (a) && ispunct ('!'));
  assert ((isupper) (toupper (a)) && (islower) (a) && !(isalnum) (end));
  assert (toupper (a) == 'A' && tolower ('Q') == 'q' && toupper (five) == five);
  return 0;
}
