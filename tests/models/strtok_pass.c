// Splitting a string; strtok_r keeps its place with the caller.
#include <assert.h>
#include <string.h>

int main (void) {
  char text[] = "a,,b", again[] = "c d", *place;
  char *s = strtok (text, ",");
  assert (strcmp (s, "a") == 0);
  assert (strcmp (strtok_r (again, " ", &place), "c") == 0);
  assert (strcmp (strtok (NULL, ","), "b") == 0);
  assert (strcmp (strtok_r (NULL, " ", &place), "d") == 0);
  assert (strtok (NULL, ",") == NULL && strtok_r (NULL, " ", &place) == NULL);
  return 0;
}
