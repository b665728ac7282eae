// What functions without a body may have changed: errno, what pointers in memory that they are handed lead to, structs
// that they return by value; and what an undefined thread-local variable holds.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

struct numbers {
  int number[10];
};
struct link {
  int *to, number[10];
};
extern struct numbers own_numbers (void);
extern struct link own_link (void);
extern void own_make (int **), own_set (int *);
extern _Thread_local int outside_local;

int main (int argc, char **argv) {
#ifdef ERRNO
  mkdir ("a", 0);
  assert (errno);
#elif defined ERRNO_OF_MODEL
  mkdir ("a", 0);
  errno = 0;
  strtol ("1", NULL, 10);
  assert (errno);
#elif defined NESTED
  char text[4] = {0};
  struct iovec v = {text, sizeof text};
  preadv (0, &v, 1, 0);
  assert (text[0]);
#elif defined READ_ONLY
  struct sockaddr address = {0};
  bind (3, &address, sizeof address);
  assert (address.sa_family);
#elif defined LINK
  struct link l = own_link ();
  return *l.to;
#elif defined MAKE
  int *made;
  own_make (&made);
  return *made;
#elif defined MADE_BEFORE
  int number = 1, *made = &number;
  own_make (&made);
  assert (*made == 2);
#elif defined NULL_BEFORE
  int *made = NULL;
  if (!argc) own_make (&made);
  own_make (&made);
  return *made;
#elif defined SET_BEFORE
  int number = 1;
  own_set (&number);
  assert (number == 2);
#elif defined SET
  int number;
  own_set (&number);
  assert (number);
#elif defined NUMBERS
  int first = 0;
  for (int i = 0; i < 2; i++) {
    struct numbers n = own_numbers ();
    if (!i) first = n.number[3];
    else assert (first == n.number[3]);
  }
#elif defined LOCAL
  assert (outside_local);
#endif
  return 0;
}
