// Folders of system headers: /usr, and the folders that flags such as -isystem name.  A library found by -isystem is as
// unknown as one in /usr/include, so the results of its functions are invented in the same way
// (docs/decisions/invented-values.md).
//
// Debug information does not mark system headers, so this file reads the flags.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/driver_impl.h"

// Flags whose folder is in the same or the next word; a longer name comes before one that it begins with.
static const char *const names[] = {"-isystem-after", "-isystem",  "-idirafter", "-iwithsysroot",
                                    "-isysroot",      "--sysroot", NULL};

// Returns the folder after the flag's name, or the next word if the word is the name alone; NULL: no such flag.
static const char *system_folder (const char *word, const char *next) {
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
    const translation_unit *s = &sources->data[i];
    for (uint32_t k = 0; k < s->flags.count; k++) {
      const char *next = k + 1 < s->flags.count ? s->flags.data[k + 1] : NULL;
      const char *folder = system_folder (s->flags.data[k], next);
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
