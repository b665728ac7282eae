// Folders whose headers clang takes for those of a system: what the flags name beside /usr.  A library that comes by
// -isystem is as unknown as one that lies in /usr/include, so what its functions return is invented like theirs
// (docs/decisions/invented-values.md).
//
// Debug information does not say which headers these are, so the flags are read once more.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/driver_impl.h"

// Each also with its folder in the same word; a longer name comes before one that it begins with.
static const char *const names[] = {"-isystem-after", "-isystem",  "-idirafter", "-iwithsysroot",
                                    "-isysroot",      "--sysroot", NULL};

// The folder that the word names, the next word if it is a name alone; NULL: it is no such flag.
static const char *folder_of (const char *word, const char *next) {
  for (unsigned i = 0; names[i]; i++) {
    size_t length = strlen (names[i]);
    if (strncmp (word, names[i], length)) continue;
    const char *rest = word + length + (word[length] == '=');
    return *rest ? rest : next;
  }
  return NULL;
}

void system_folders (arena *a, const source_list *sources, word_list *out) {
  char *here = getcwd (NULL, 0);
  for (uint32_t i = 0; i < sources->count; i++) {
    const source *s = &sources->data[i];
    for (uint32_t k = 0; k < s->flags.count; k++) {
      const char *next = k + 1 < s->flags.count ? s->flags.data[k + 1] : NULL;
      const char *folder = folder_of (s->flags.data[k], next);
      if (folder) vec_push (out, compdb_path (a, s->directory ? s->directory : here ? here : "/", folder));
    }
  }
  free (here);
}

bool system_has (const word_list *folders, const char *path) {
  for (uint32_t i = 0; folders && i < folders->count; i++) {
    size_t length = strlen (folders->data[i]);
    if (!strncmp (path, folders->data[i], length) && path[length] == '/') return true;
  }
  return !strncmp (path, "/usr/", 5);
}
