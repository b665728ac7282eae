// Nobody gave the program an option.
#include <assert.h>
#include <unistd.h>

int main (int argc, char **argv) {
  assert (getopt (argc, argv, "v") == 'v');
  return 0;
}
