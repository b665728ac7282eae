// --property: a list of names, or a property file of the software verification competition (SV-COMP rules,
// section "Properties"), whose lines read CHECK( init(main()), LTL(G ! call(reach_error())) ).
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "main/options.h"

// `all` does not include leaks: they need a search without reduction, which would make the answers about all other
// properties worse.
enum { DEFAULT_ALL = ((1 << IR_NUM_PROPERTIES) - 1) & ~(1 << IR_P_LEAK) };

void property_print (uint32_t properties, strbuf *out) {
  const char *separator = "";
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++) {
    if (!(properties >> p & 1)) continue;
    strbuf_printf (out, "%s%s", separator, ir_property_name[p]);
    separator = ",";
  }
}

static bool add_property (const char *name, property_choice *out, strbuf *why) {
  for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
    if (!strcmp (name, ir_property_name[p])) {
      out->properties |= 1u << p;
      return true;
    }
  if (!strcmp (name, "all")) {
    out->properties = DEFAULT_ALL;
    return true;
  }
  const char *near = nearest_word (name, ir_property_name, IR_NUM_PROPERTIES);
  strbuf_printf (why, "unknown property `%s`", name);
  if (near) strbuf_printf (why, "; did you mean %s?", near);
  else
    strbuf_add (why, "; there are assert, race, deadlock, locks, memory, overflow, leak, uninit, all, or a .prp file");
  return false;
}

static bool parse_list (arena *a, const char *text, property_choice *out, strbuf *why) {
  char *copy = arena_strdup (a, text);
  for (char *state = NULL, *name = strtok_r (copy, ", ", &state); name; name = strtok_r (NULL, ", ", &state))
    if (!add_property (name, out, why)) return false;
  if (!out->properties) strbuf_add (why, "the list of properties is empty");
  return out->properties != 0;
}

// ---- property files -----------------------------------------------------------------------------------

// Known formulas, without blanks.
static const struct {
  const char *formula;
  uint32_t properties;  // 1 << ir_property
  bool all_leaks;
} formulas[] = {
    {"G!call(reach_error())", 1 << IR_P_ASSERT, false},
    {"G!call(__VERIFIER_error())", 1 << IR_P_ASSERT, false},
    {"G!data-race", 1 << IR_P_RACE, false},
    {"Gdata-race-free", 1 << IR_P_RACE, false},
    {"G!deadlock", 1 << IR_P_DEADLOCK, false},
    {"Gno-deadlock", 1 << IR_P_DEADLOCK, false},
    {"Gvalid-deref", 1 << IR_P_MEMORY, false},
    {"Gvalid-free", 1 << IR_P_MEMORY, false},
    {"Gvalid-memsafety", 1 << IR_P_MEMORY | 1 << IR_P_LEAK, false},
    {"Gvalid-memtrack", 1 << IR_P_LEAK, false},
    {"Gvalid-memcleanup", 1 << IR_P_LEAK, true},
    {"G!overflow", 1 << IR_P_OVERFLOW, false},
    {"Gno-overflow", 1 << IR_P_OVERFLOW, false},
};

static bool add_formula (const char *formula, property_choice *out, strbuf *why) {
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (!strcmp (formula, formulas[i].formula)) {
      out->properties |= formulas[i].properties;
      out->all_leaks |= formulas[i].all_leaks;
      return true;
    }
  if (!strcmp (formula, "Fend")) strbuf_add (why, "lockstep does not decide termination, LTL(F end)");
  else strbuf_printf (why, "lockstep does not check LTL(%s)", formula);
  return false;
}

// Parses one CHECK(init(NAME()),LTL(FORMULA)) without blanks, and moves *text to its end.
static bool parse_check (arena *a, char **text, property_choice *out, strbuf *why) {
  static const char start[] = "CHECK(init(", middle[] = "()),LTL(";
  char *name = *text + strlen (start), *rest = strncmp (*text, start, strlen (start)) ? NULL : strstr (name, middle);
  char *formula = rest ? rest + strlen (middle) : NULL, *end = formula;
  for (int depth = 0; end && *end && (depth || *end != ')'); end++) depth += (*end == '(') - (*end == ')');
  if (!end || end[0] != ')' || end[1] != ')') {
    strbuf_add (why, "expected CHECK( init(FUNCTION()), LTL(FORMULA) )");
    return false;
  }
  *rest = *end = 0;
  *text = end + 2;
  if (strcmp (name, "main")) out->entry = arena_strdup (a, name);
  return add_formula (formula, out, why);
}

// Reads the file without comment lines, empty lines, and blanks at the start and end of a line.
static bool read_property_lines (arena *a, const char *path, const budget *b, strbuf *out, strbuf *why,
                                 const char **stopped) {
  strbuf whole = {0}, problem = {0};
  bool by_budget = false, good = file_read (path, b, &whole, &problem, &by_budget);
  if (by_budget) *stopped = arena_strdup (a, strbuf_text (&problem));
  if (!good) strbuf_printf (why, "cannot read %s: %s", path, strbuf_text (&problem));
  if (good && strlen (strbuf_text (&whole)) != whole.count) {
    strbuf_printf (why, "%s: it has a zero byte", path);
    good = false;
  }
  char *line = whole.data;
  while (good && line && *line) {
    char *end = line + strcspn (line, "\n"), *next = *end ? end + 1 : end;
    while (isspace ((unsigned char) *line) && line < end) line++;
    while (end > line && isspace ((unsigned char) end[-1])) end--;
    *end = 0;
    if (*line && *line != '#') strbuf_printf (out, "%s%s", out->count ? "\n" : "", line);
    line = next;
    if (!over_limit (PROPERTY_BYTES, out->count)) continue;
    strbuf_printf (why, "%s: more than %d characters besides comments", path, LIMIT_PROPERTY_BYTES);
    good = false;
  }
  strbuf_release (&whole);
  strbuf_release (&problem);
  return good;
}

static char *without_blanks (arena *a, const char *text) {
  char *copy = arena_strdup (a, text), *end = copy;
  for (const char *c = text; *c; c++)
    if (!isspace ((unsigned char) *c)) *end++ = *c;
  *end = 0;
  return copy;
}

static bool parse_file (arena *a, const char *path, const budget *b, property_choice *out, strbuf *why) {
  strbuf text = {0}, problem = {0};
  bool good = read_property_lines (a, path, b, &text, why, &out->stopped);
  if (good) {
    out->specification = arena_strdup (a, strbuf_text (&text));
    char *at = without_blanks (a, out->specification);
    if (!*at) strbuf_add (&problem, "the file holds no property");
    while (*at && !problem.count && parse_check (a, &at, out, &problem)) {}
    good = !problem.count;
    if (!good) strbuf_printf (why, "%s: %s", path, strbuf_text (&problem));
  }
  strbuf_release (&text);
  strbuf_release (&problem);
  return good;
}

bool property_parse (arena *a, const char *text, const budget *b, property_choice *out, strbuf *why) {
  *out = (property_choice){0};
  size_t length = strlen (text);
  bool is_file = length > 4 && !strcmp (text + length - 4, ".prp");
  return is_file ? parse_file (a, text, b, out, why) : parse_list (a, text, out, why);
}
