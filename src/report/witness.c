// Writes witnesses in the exchange formats of the software verification competition (SV-COMP): answers that other tools
// can check.  This file decides whether there is a witness, for which bug, and what its head says.  The name of the
// file decides the format: `.graphml` is version 1.0, every other name the YAML of version 2.2.
//
// A witness is reproducible byte for byte if SOURCE_DATE_EPOCH is set (reproducible-builds.org): its identifier is
// computed from the contents.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/witness_impl.h"

static const char *option_text (const report_input *in, const char *name) {
  for (uint32_t i = 0; i < in->options.count; i++)
    if (!strcmp (in->options.data[i].name, name)) return in->options.data[i].text;
  return NULL;
}

const char *witness_entry (const report_input *in) {
  const char *entry = option_text (in, "entry");
  return entry ? entry : "main";
}

// ---- the specification --------------------------------------------------------------------------------

// Returns the formula of a property in the competition; NULL: it has none.
static const char *property_formula (const semantics *s, ir_property p) {
  switch (p) {
  case IR_P_ASSERT: return "G ! call(reach_error())";
  case IR_P_RACE: return "G ! data-race";
  case IR_P_DEADLOCK: return "G ! deadlock";
  case IR_P_MEMORY: return "G valid-deref";
  case IR_P_OVERFLOW: return "G ! overflow";
  case IR_P_LEAK: return s->all_leaks ? "G valid-memcleanup" : "G valid-memtrack";
  default: return NULL;
  }
}

// Returns the formula that the found bug violates.
static const char *goal_formula (const semantics *s, const goal *g) {
  if (g->fault == IR_FAULT_DOUBLE_FREE || g->fault == IR_FAULT_BAD_FREE) return "G valid-free";
  if (g->fault == IR_FAULT_VERIFIER_ERROR) return "G ! call(__VERIFIER_error())";
  if (g->property == IR_P_ASSERT && g->fault != IR_FAULT_REACH_ERROR) return "G assert";
  return property_formula (s, g->property);
}

static void add_check (strbuf *b, const report_input *in, const char *formula) {
  strbuf_printf (b, "%sCHECK( init(%s()), LTL(%s) )", b->count ? "\n" : "", witness_entry (in), formula);
}

// Returns the specification: the text of the property file; without one, the violated property, or all that was proved.
static const char *specification (arena *a, const report_input *in, const goal *violated) {
  if (in->specification) return in->specification;
  strbuf b = {0};
  if (violated) add_check (&b, in, goal_formula (in->semantics, violated));
  else
    for (unsigned p = 0; p < IR_NUM_PROPERTIES; p++)
      if (in->semantics->properties >> p & 1 && property_formula (in->semantics, (ir_property) p)) {
        add_check (&b, in, property_formula (in->semantics, (ir_property) p));
        if (p == IR_P_MEMORY) add_check (&b, in, "G valid-free");
      }
  const char *text = arena_strdup (a, strbuf_text (&b));
  strbuf_release (&b);
  return text;
}

// ---- which answer -------------------------------------------------------------------------------------

static const goal *find_violated (const report_input *in) {
  const verdict *v = in->verdict;
  for (uint32_t i = 0; i < v->goals.count; i++) {
    const goal *g = &v->goals.data[i];
    if (g->status == GOAL_VIOLATED && g->claim.num_threads && goal_formula (in->semantics, g)) return g;
  }
  return NULL;
}

static bool lacks (strbuf *why_not, const char *why) {
  strbuf_add (why_not, why);
  return false;
}

// In the competition, bounded answers and possible bugs are no answers.
static bool find_answer (const report_input *in, const goal **violated, strbuf *why_not) {
  const verdict *v = in->verdict;
  *violated = NULL;
  if (in->question || option_text (in, "ltl")) return lacks (why_not, "there are none for --reach-pair and --ltl");
  if (v->kind == VERDICT_BOUNDED) return lacks (why_not, "the answer is bounded");
  if (v->kind == VERDICT_UNKNOWN) return lacks (why_not, "the answer is unknown");
  if (v->kind == VERDICT_BUG) {
    *violated = find_violated (in);
    return *violated || lacks (why_not, "the bugs that were found have no specification in the competition");
  }
  if (v->accepted.count) return lacks (why_not, "the bugs of the baseline are left out of the answer");
  uint32_t without = 1u << IR_P_LOCKS;
  return in->semantics->properties & ~without ||
         lacks (why_not, "what was proved has no specification in the competition");
}

// ---- the head -----------------------------------------------------------------------------------------

static const char *creation_time (arena *a) {
  const char *epoch = getenv ("SOURCE_DATE_EPOCH");
  char *end = NULL, text[32];
  long long given = epoch ? strtoll (epoch, &end, 10) : 0;
  time_t seconds = epoch && *epoch && !*end ? (time_t) given : time (NULL);
  struct tm parts;
  if (!gmtime_r (&seconds, &parts) || !strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
    return "1970-01-01T00:00:00Z";
  return arena_strdup (a, text);
}

static void add_text (sha256 *s, const char *text) { sha256_add (s, text, strlen (text) + 1); }

// Makes an identifier of version 8 of RFC 9562: 122 bits are ours to choose.
static const char *make_uuid (const witness *w) {
  sha256 s;
  sha256_init (&s);
  add_text (&s, w->in->version);
  add_text (&s, w->time);
  add_text (&s, w->specification);
  for (uint32_t i = 0; i < w->files.count; i++) add_text (&s, w->files.data[i].hash);
  if (w->violated) add_text (&s, w->violated->message ? w->violated->message : w->violated->id);
  uint8_t d[SHA256_BYTES];
  sha256_finish (&s, d);
  d[6] = (uint8_t) (0x80 | (d[6] & 0x0f));
  d[8] = (uint8_t) (0x80 | (d[8] & 0x3f));
  char text[SHA256_TEXT];
  sha256_text (d, text);
  return arena_printf (w->arena, "%.8s-%.4s-%.4s-%.4s-%.12s", text, text + 8, text + 12, text + 16, text + 20);
}

// Prepares the witness; false: there is none.  To be released in either case.
static bool witness_init (witness *w, const report_input *in, strbuf *why_not) {
  const char *model = option_text (in, "data-model");
  *w = (witness){.arena = arena_new (), .in = in, .narrow_long = model && !strcmp (model, "ILP32")};
  if (!find_answer (in, &w->violated, why_not)) return false;
  witness_files_load (w->arena, in, &w->files);
  for (uint32_t i = 0; i < w->files.count; i++)
    if (!*w->files.data[i].hash) return lacks (why_not, "the source cannot be read any more, or has more than 16 MB");
  if (w->violated && !witness_path_find (w->arena, w->violated, &w->files, w->narrow_long, &w->path))
    return lacks (why_not, "the bug lies in none of the input files");
  w->specification = specification (w->arena, in, w->violated);
  w->time = creation_time (w->arena);
  w->uuid = make_uuid (w);
  return true;
}

static void witness_release (witness *w) {
  vec_release (&w->path);
  witness_files_release (&w->files);
  arena_free (w->arena);
}

bool report_has_witness (const report_input *in, strbuf *why_not) {
  witness w;
  bool good = witness_init (&w, in, why_not);
  witness_release (&w);
  return good;
}

static bool is_graphml (const char *path) {
  const char *dot = path ? strrchr (path, '.') : NULL;
  return dot && !strcmp (dot, ".graphml");
}

bool report_witness (const report_input *in, FILE *out) {
  witness w;
  strbuf why_not = {0};
  bool good = witness_init (&w, in, &why_not);
  if (good)
    good = is_graphml (option_text (in, "witness")) ? witness_write_graphml (&w, out) : witness_write_yaml (&w, out);
  witness_release (&w);
  strbuf_release (&why_not);
  return good && fflush (out) == 0 && !ferror (out);
}
