// Which options mean something to which engine.  An option that the user gave and that the chosen engine would
// ignore is refused by name before any work: who asks for `--unwind=3` and gets the answer of an engine that does
// not unwind is told something else than he has asked for.
//
// `auto` lets several engines work.  It takes each option that one of them knows.  Some options are bounds on the
// executions that are looked at; there an engine that does not know the option would look at others, so it is not
// started, which the report says.
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"
#include "logic/logic.h"
#include "main/main_impl.h"

const option_way option_ways[] = {
    {'a', "auto", "", false},
    {'x', "explicit", "", false},
    {'l', "order", "", false},
    {'d', "lazy", "", false},
    {'c', "circuit", "", false},
    {'b', "boolean", " on Boolean programs", false},
    {'B', "boolean", " on C programs", false},
    {'k', "locks", "", false},
    {'r', "random", "", false},
    {'X', "explicit", " with --ltl", true},
    {'C', "circuit", " with --ltl", true},
    {'K', "locks", " with --ltl", true},
    {0, NULL, NULL, false},
};

// They leave executions out, or states.
static const option_id bounds[] = {OPT_DEPTH,         OPT_UNWIND,   OPT_UNWINDSET,
                                   OPT_CONTEXT_BOUND, OPT_BITSTATE, OPT_MAX_THREADS};
enum { NUM_BOUNDS = sizeof bounds / sizeof *bounds };

static bool honours (const option_row *row, char way) { return *row->ways == '*' || strchr (row->ways, way); }

// ---- words --------------------------------------------------------------------------------------------------------
// Does the option speak to all ways of this engine, apart from those for formulas?
static bool is_for_all_of (const option_row *row, const char *engine) {
  for (const option_way *w = option_ways; w->letter; w++)
    if (!strcmp (w->engine, engine) && !w->is_for_formulas && !honours (row, w->letter)) return false;
  return true;
}

void options_print_ways (const option_row *row, bool with_formulas, strbuf *out) {
  const char *last = "";
  for (const option_way *w = option_ways; w->letter; w++) {
    if (!honours (row, w->letter) || (w->is_for_formulas && !with_formulas)) continue;
    bool all = !w->is_for_formulas && is_for_all_of (row, w->engine);
    if (all && !strcmp (last, w->engine)) continue;
    strbuf_printf (out, "%s%s%s", *last ? ", " : "", w->engine, all ? "" : w->when);
    last = w->engine;
  }
}

// ---- who works ----------------------------------------------------------------------------------------------------
typedef struct situation {
  bool formula, of_threads, boolean;
} situation;

static situation situation_of (const options *o) {
  const char *ltl = o->value[OPT_LTL].text;
  return (situation){.formula = ltl,
                     .of_threads = ltl && ltl_is_of_threads (ltl),
                     .boolean = !strcmp (load_language (o), "Boolean program")};
}

// The way in which the engine would work; 0: it does not.
static char way_of (const situation *s, const char *engine) {
  if (!strcmp (engine, "explicit")) return s->formula ? 'X' : 'x';
  if (!strcmp (engine, "circuit")) return s->formula ? 'C' : 'c';
  if (!strcmp (engine, "locks")) return s->formula ? 'K' : 'k';
  if (s->formula) return 0;
  if (!strcmp (engine, "order")) return 'l';
  if (!strcmp (engine, "lazy")) return 'd';
  if (!strcmp (engine, "boolean")) return s->boolean ? 'b' : 'B';
  if (!strcmp (engine, "random")) return 'r';
  BUG ("engine %s should have a way", engine);
}

static const engine *const team[] = {&engine_explicit, &engine_order, &engine_circuit, &engine_boolean};
enum { NUM_TEAM = sizeof team / sizeof *team };

static bool auto_honours (const situation *s, const option_row *row) {
  if (honours (row, 'a') || (!s->formula && honours (row, 'k'))) return true;
  for (unsigned k = 0; k < NUM_TEAM; k++) {
    char way = way_of (s, team[k]->name);
    if (way && honours (row, way)) return true;
  }
  return false;
}

static const char *when_of (char way) {
  for (const option_way *w = option_ways; w->letter; w++)
    if (w->letter == way) return w->when;
  return "";
}

static bool refuse (const option_row *row, const char *engine, const char *when, bool with_formulas) {
  strbuf whom = {0};
  options_print_ways (row, with_formulas, &whom);
  diag_error (NULL, 0, 0, "%s has no meaning for engine %s%s (it is for %s)", row->name, engine, when,
              strbuf_text (&whom));
  strbuf_release (&whom);
  return false;
}

static bool is_honoured (const options *o, const situation *s, option_id id, const char *engine) {
  const option_row *row = &option_table[id];
  if (!o->value[id].given) return true;
  if (!strcmp (engine, "auto"))
    return auto_honours (s, row) || refuse (row, engine, s->formula ? " with --ltl" : "", s->formula);
  char way = way_of (s, engine);
  return !way || honours (row, way) || refuse (row, engine, when_of (way), s->formula);
}

// ---- bounds and `auto` --------------------------------------------------------------------------------------------
static bool honours_bounds (const options *o, const situation *s, const char *engine) {
  char way = way_of (s, engine);
  for (unsigned k = 0; way && k < NUM_BOUNDS; k++)
    if (o->value[bounds[k]].given && !honours (&option_table[bounds[k]], way)) return false;
  return way;
}

static bool choose_team (const options *o, const situation *s, task *t) {
  bool any = false;
  for (unsigned k = 0; k < NUM_TEAM; k++) {
    if (honours_bounds (o, s, team[k]->name)) any = true;
    else if (way_of (s, team[k]->name)) t->not_started[t->num_not_started++] = team[k];
  }
  if (!any)
    diag_error (NULL, 0, 0,
                "there is no engine for all of these bounds (`lockstep help options` tells who is for which)");
  return any;
}

// ---- options that exclude each other ------------------------------------------------------------------------------
static bool exclude (const char *one, const char *other, const char *why) {
  diag_error (NULL, 0, 0, "%s does not go with %s: %s", one, other, why);
  return false;
}

static bool are_compatible (const options *o, const situation *s) {
  const option_setting *v = o->value;
  const char *reduction = v[OPT_REDUCTION].text;
  bool named = strcmp (reduction, "auto") && strcmp (reduction, "none");
  if (v[OPT_STOP_AT_FIRST].given && v[OPT_EXHAUSTIVE].given)
    return exclude ("--stop-at-first", "--exhaustive", "one ends the search, the other lets it go on");
  if (named && v[OPT_DEPTH].number) {
    const char *engine = v[OPT_ENGINE].text;
    if (!strcmp (engine, "explicit") || !strcmp (engine, "auto"))
      return exclude ("--reduction", "--depth", "a bound on steps counts those of every interleaving");
  }
  if (named && s->formula && !s->of_threads)
    return exclude ("this --reduction", "--ltl",
                    "steps that the formula does not notice are left out, or with --reduction=none nothing");
  if (v[OPT_REACH_PAIR].given && v[OPT_PROPERTY].given)
    return exclude ("--property", "--reach-pair", "the pair is asked about instead");
  if (v[OPT_LEAKS].given && !(v[OPT_PROPERTY].number >> IR_P_LEAK & 1)) {
    diag_error (NULL, 0, 0, "--leaks has no meaning without --property=leak");
    return false;
  }
  return true;
}

// ---- commands with several ways -----------------------------------------------------------------------------------
bool options_are_only (const options *o, const char *way, const option_id *known) {
  for (int id = 0; id < NUM_OPTIONS; id++) {
    const option_id *k = known;
    while (*k != NUM_OPTIONS && (int) *k != id) k++;
    if (!o->value[id].given || *k != NUM_OPTIONS) continue;
    diag_error (NULL, 0, 0, "%s has no meaning with %s", option_table[id].name, way);
    return false;
  }
  if (!o->clang_flags.count) return true;
  diag_error (NULL, 0, 0, "flags for clang have no meaning with %s: %s", way, o->clang_flags.data[0]);
  return false;
}

bool options_are_honoured (const options *o, const char *engine, task *t) {
  situation s = situation_of (o);
  if (s.of_threads && !strcmp (engine, "auto")) engine = "locks";
  for (int id = 0; id < NUM_OPTIONS; id++)
    if (strchr (option_table[id].commands, 'c') && !is_honoured (o, &s, (option_id) id, engine)) return false;
  return are_compatible (o, &s) && (strcmp (engine, "auto") || choose_team (o, &s, t));
}
