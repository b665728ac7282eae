// Decides whether lockstep wrote an existing file.  A report replaces only such files, because a typing mistake
// (`--json other.c`) must not destroy a user's file.  Every writer leaves a mark; the check looks for it where the
// format has it, at the start of the file or near its end.
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "report/report_impl.h"

enum { LOOKED_AT = 1 << 16 };

typedef struct file_sample {
  char head[LOOKED_AT + 1], tail[LOOKED_AT + 1];
  size_t head_size, tail_size;
} file_sample;

static bool head_starts_with (const file_sample *s, const char *text) {
  return !strncmp (s->head, text, strlen (text));
}

static bool contains_bytes (const char *bytes, size_t size, const char *text) {
  return memmem (bytes, size, text, strlen (text)) != NULL;
}

// Whether the file has a format with the mark in its first part, and that mark.
static bool is_marked (const file_sample *s) {
  static const char *const formats[][2] = {
      {"{", "\"tool\": \"lockstep\""},
      {"{", "\"driver\":{\"name\":\"lockstep\""},
      {"<!DOCTYPE html>", "<meta name=\"generator\" content=\"lockstep\">"},
      {"<?xml", "<data key=\"producer\">lockstep"},
      {"- entry_type:", "producer:\n      name: \"lockstep\""},
      {"digraph locks {", "label = \"an arrow leads from a held lock to one that is waited for"},
      {"; lockstep ", "\n; program "},
      {"lockstep ", "\nprogram "},
      {"# Findings of lockstep", ""},
  };
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
    if (head_starts_with (s, formats[i][0]) && contains_bytes (s->head, s->head_size, formats[i][1])) return true;
  return false;
}

static bool is_circuit (const file_sample *s) {
  return (head_starts_with (s, "aag ") || head_starts_with (s, "aig ")) &&
         contains_bytes (s->tail, s->tail_size, "\nc\nlockstep ");
}

// Whether the file is a Boolean program of `lockstep abstract`: comments on what it leaves out, then the line with the
// predicates.
static bool is_abstraction (const file_sample *s) {
  const char *line = s->head;
  while (!strncmp (line, "// not in it, if it can happen: ", 32) && strchr (line, '\n')) line = strchr (line, '\n') + 1;
  unsigned predicates;
  char how[20];
  unsigned long long rounds;
  return sscanf (line, "// %u predicates, %19[a-z], after %llu refinements", &predicates, how, &rounds) == 3;
}

// Whether the text is that of a finding: "race: data race on ...", a property and what was found.  Tables of symbols
// (nm, System.map) and of checksums begin with sixteen digits, too.
static bool is_finding (const char *text) {
  text += strspn (text, " \t");
  size_t length = strcspn (text, ":");
  for (unsigned p = 0; p < IR_NUM_QUESTIONS; p++)
    if (strlen (ir_property_name[p]) == length && !strncmp (text, ir_property_name[p], length)) return true;
  return false;
}

// Whether the file is a baseline.  Users may have removed its first line.  Each line is a comment, or sixteen digits
// and a finding.
static bool is_baseline (const file_sample *s) {
  bool any = false;
  for (const char *line = s->head; *line; line += strcspn (line, "\n"), line += *line != 0) {
    size_t digits = strspn (line, "0123456789abcdef");
    bool is_comment = *line == '#' || *line == '\n';
    if (!is_comment && (digits != 16 || !isspace ((unsigned char) line[16]) || !is_finding (line + 16))) return false;
    any |= !is_comment;
  }
  return any;
}

// Whether the name is that of a source file.  A header may be empty, and may be an input of the same command without
// being on its command line.
static bool is_named_as_source (const char *path) {
  static const char *const endings[] = {".c", ".h", ".i", ".inc", ".def", ".ll", ".bc"};
  const char *dot = strrchr (path, '.');
  for (unsigned i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp (dot, endings[i])) return true;
  return false;
}

bool report_is_ours (const char *path) {
  FILE *f = file_open_regular (path);
  if (!f) return false;
  file_sample *s = mem_zalloc (sizeof *s);
  s->head_size = fread (s->head, 1, LOOKED_AT, f);
  if (fseek (f, -LOOKED_AT, SEEK_END)) rewind (f);
  s->tail_size = fread (s->tail, 1, LOOKED_AT, f);
  fclose (f);
  // Replacing an empty file loses nothing, unless it is a source.
  bool empty = !s->head_size && !is_named_as_source (path);
  bool ours = empty || is_marked (s) || is_circuit (s) || is_abstraction (s) || is_baseline (s);
  mem_free (s, sizeof *s);
  return ours;
}
