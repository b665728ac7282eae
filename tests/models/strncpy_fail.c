// strncpy that fills the array leaves no terminator.
#include <string.h>

int main (void) {
  char a[4], *volatile five = "five!";
  strncpy (a, five, sizeof a);
  return strlen (a) == 9;
}
