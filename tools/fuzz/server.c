// lockstep many times over, for tools that start it thousands of times: after the first start each command costs a
// fork, not the loading of LLVM and the sanitizers.
//
// A request is a line `NUMBER OUTPUT ERRORS` and NUMBER words, each ended by a zero byte: the command line without the
// program's name; its output goes to the two files.  The command is executed in a process group of its own, whose id is
// the first line of the answer; the second is the process's status, as wait () tells it.
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#undef main
int lockstep_main (int argc, char **argv);

enum { MOST_WORDS = 64 };

typedef struct request {
  char *output, *errors;
  char *words[MOST_WORDS + 2];  // the program's name, the words, NULL
  int count;
} request;

static char *read_until (int end) {
  char *text = NULL;
  size_t room = 0;
  ssize_t length = getdelim (&text, &room, end, stdin);
  if (length <= 0) exit (0);
  if (text[length - 1] == end) text[length - 1] = 0;
  return text;
}

static void read_request (request *r) {
  char *line = read_until ('\n');
  char *number = strtok (line, " ");
  int count = number ? atoi (number) : 0;
  r->output = strdup (strtok (NULL, " "));
  r->errors = strdup (strtok (NULL, " "));
  r->words[0] = strdup ("lockstep");
  if (count > MOST_WORDS) exit (1);
  for (r->count = 1; r->count <= count; r->count++) r->words[r->count] = read_until (0);
  r->words[r->count] = NULL;
  free (line);
}

static void release_request (request *r) {
  free (r->output);
  free (r->errors);
  for (int i = 0; i < r->count; i++) free (r->words[i]);
}

static int open_as (const char *path, int flags, int number) {
  int file = open (path, flags, 0666);
  return file < 0 || dup2 (file, number) < 0 ? -1 : close (file);
}

// LeakSanitizer looks at the end of each fourth command, because that takes as long as a short command does.
static _Noreturn void execute (request *r, bool looks_for_leaks) {
  setpgid (0, 0);
  int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (open_as ("/dev/null", O_RDONLY, 0) || open_as (r->output, flags, 1) || open_as (r->errors, flags, 2)) _exit (99);
  int code = lockstep_main (r->count, r->words);
  if (looks_for_leaks) exit (code);
  fflush (NULL);
  _exit (code);
}

int main (void) {
  for (unsigned long number = 0;; number++) {
    request r;
    int status = 0;
    read_request (&r);
    pid_t child = fork ();
    if (child == 0) execute (&r, number % 4 == 0);
    setpgid (child, child);
    printf ("%d\n", (int) child);
    fflush (stdout);
    while (waitpid (child, &status, 0) < 0 && errno == EINTR) {}
    printf ("%d\n", status);
    fflush (stdout);
    release_request (&r);
  }
}
