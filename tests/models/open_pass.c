#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main (void) {
  int file = open ("name", O_RDONLY);
  if (file < 0) {
    assert (file == -1 && errno);
    return 1;
  }
  FILE *stream = fdopen (file, "r");
  if (!stream) return 1;
  fgetc (stream);
  fclose (stream);
  return 0;
}
