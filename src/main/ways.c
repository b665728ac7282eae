// Decides which options have a meaning for which engine.  A given option that the chosen engine would ignore is refused
// by name before any work: the answer to `--unwind=3` must not come from an engine that does not unwind.
//
// `auto` runs several engines and accepts each option that one of them honours.  Some options are bounds on the
// explored executions.  An engine that does not know such an option would explore other executions, so `auto` does not
// start it, and the report says so.
#include <string.h>

#include "base/diag.h"
#include "engine/engine.h"
#include "logic/logic.h"
#include "main/main_impl.h"

enum { WAYS_OF_FORMULAS = WAY_FORMULA | WAY_THREADS };

// Returns the ways of the engine in which it honours the option.
static uint32_t ways_that_honour (const engine *e, const known_option *k) {
  const option_row *own = NULL;
  switch (k->honoured) {
  case HONOURED_BY_ALL: return e->ways;
  case HONOURED_BY_NONE: return 0;
  case HONOURED_BY_OWNERS: own = option_find (e->options, k->row->name); return own ? own->ways : 0;
  default: return e->honours[k->honoured];
  }
}

bool options_depend_on_engine (const known_option *k) {
  return k->honoured != HONOURED_BY_ALL && k->honoured != HONOURED_BY_NONE;
}

// ---- words --------------------------------------------------------------------------------------------------------
// Appends "boolean" if the engine honours the option in all of these ways, else its ways one by one: "boolean on C
// programs".
static void print_ways_of (const engine *e, const known_option *k, uint32_t ways, strbuf *out) {
  uint32_t honours = ways_that_honour (e, k) & ways;
  bool in_all = honours == (e->ways & ways);
  for (uint32_t way = 1; way < END_OF_WAYS; way <<= 1) {
    if (!(honours & way)) continue;
    strbuf_printf (out, "%s%s", out->count ? ", " : "", e->name);
    if (in_all && !(way & WAYS_OF_FORMULAS)) return;
    strbuf_add (out, engine_way_text (e, (engine_way) way));
  }
}

void options_print_ways (const known_option *k, bool with_formulas, strbuf *out) {
  for (const engine *const *e = engine_registry; *e; e++) {
    print_ways_of (*e, k, ~(uint32_t) WAYS_OF_FORMULAS, out);
    if (with_formulas) print_ways_of (*e, k, WAYS_OF_FORMULAS, out);
  }
}

static void print_way_name (const engine *e, uint32_t way, FILE *out) {
  fprintf (out, "%s%s", e->name, way & WAYS_OF_FORMULAS ? "+ltl" : way == WAY_BOOLEAN ? "+bp" : "");
}

void options_print_way_names (const known_option *k, FILE *out) {
  const char *separator = "";
  if (k->honoured == HONOURED_BY_ALL) {
    fputc ('*', out);
    return;
  }
  for (const engine *const *e = engine_registry; *e; e++)
    for (uint32_t way = 1; way < END_OF_WAYS; way <<= 1) {
      if (!(ways_that_honour (*e, k) & way)) continue;
      fputs (separator, out);
      print_way_name (*e, way, out);
      separator = ",";
    }
}

void options_print_way_table (FILE *out) {
  for (const engine *const *e = engine_registry; *e; e++)
    for (uint32_t way = 1; way < END_OF_WAYS; way <<= 1) {
      if (!((*e)->ways & way)) continue;
      const char *when = engine_way_text (*e, (engine_way) way);
      fputs ("way\t", out);
      print_way_name (*e, way, out);
      fprintf (out, "\t%s\t%s\n", (*e)->name, *when ? when + 1 : "");
    }
}

// ---- the way of an engine -----------------------------------------------------------------------------------------
typedef struct engine_request {
  bool formula, of_threads, boolean;
} engine_request;

static engine_request engine_request_of (const options *o) {
  const char *ltl = o->value[OPT_LTL].text;
  return (engine_request){.formula = ltl,
                          .of_threads = ltl && ltl_is_of_threads (ltl),
                          .boolean = !strcmp (load_language (o), "Boolean program")};
}

// Returns the way in which the engine would work; 0: none.
static uint32_t way_of (const engine_request *s, const engine *e) {
  if (s->formula) return e->ways & (s->of_threads ? WAY_THREADS : WAY_FORMULA);
  return s->boolean && e->ways & WAY_BOOLEAN ? WAY_BOOLEAN : e->ways & WAY_PROPERTIES;
}

// Returns whether the engine, or an engine that it starts, honours the option.
static bool engine_honours (const engine_request *s, const known_option *k, const engine *e) {
  if (ways_that_honour (e, k) & way_of (s, e)) return true;
  for (const engine *const *other = e->starts; other && *other; other++)
    if (engine_honours (s, k, *other)) return true;
  return false;
}

static bool not_honoured_error (const known_option *k, const engine *e, uint32_t way, bool with_formulas) {
  strbuf whom = {0};
  options_print_ways (k, with_formulas, &whom);
  diag_error (NULL, 0, 0, "%s has no meaning for engine %s%s (it is for %s)", k->row->name, e->name,
              engine_way_text (e, (engine_way) way), strbuf_text (&whom));
  strbuf_release (&whom);
  return false;
}

static bool is_honoured (const options *o, const engine_request *s, uint32_t id, const engine *e) {
  const known_option *k = &o->known[id];
  uint32_t way = way_of (s, e);
  if (!o->value[id].given || !way || engine_honours (s, k, e)) return true;
  return not_honoured_error (k, e, way, s->formula);
}

// ---- bounds and `auto` --------------------------------------------------------------------------------------------
static bool honours_bounds (const options *o, const engine_request *s, const engine *e) {
  uint32_t way = way_of (s, e);
  for (uint32_t id = 0; way && id < o->num_known; id++) {
    const known_option *k = &o->known[id];
    if (o->value[id].given && k->row->uses & IS_BOUND && !(ways_that_honour (e, k) & way)) return false;
  }
  return way;
}

// Lists the engines that must not be started.  An engine that covers all executions is right about those within bounds,
// too, so it may be started.
static bool list_engines_not_started (const options *o, const engine_request *s, const engine *e, task *t) {
  bool any = !e->starts;
  for (const engine *const *other = e->starts; other && *other; other++) {
    if ((*other)->covers_all) continue;
    if (honours_bounds (o, s, *other)) any = true;
    else if (way_of (s, *other)) t->not_started[t->num_not_started++] = *other;
  }
  if (!any)
    diag_error (NULL, 0, 0,
                "there is no engine for all of these bounds (`lockstep help options` says which engine is for which)");
  return any;
}

// ---- options that exclude each other ------------------------------------------------------------------------------
static bool exclusion_error (const char *one, const char *other, const char *why) {
  diag_error (NULL, 0, 0, "%s does not go with %s: %s", one, other, why);
  return false;
}

static bool engine_agrees (const engine *e, const task *t) {
  strbuf why = {0};
  bool good = !e->options_agree || e->options_agree (t, &why);
  if (!good) diag_error (NULL, 0, 0, "%s", strbuf_text (&why));
  strbuf_release (&why);
  for (const engine *const *other = e->starts; good && other && *other; other++) good = engine_agrees (*other, t);
  return good;
}

static bool are_compatible (const options *o) {
  const option_setting *v = o->value;
  if (v[OPT_STOP_AT_FIRST].given && v[OPT_EXHAUSTIVE].given)
    return exclusion_error ("--stop-at-first", "--exhaustive", "one ends the search, the other continues it");
  if (v[OPT_REACH_PAIR].given && v[OPT_PROPERTY].given)
    return exclusion_error ("--property", "--reach-pair", "the pair is checked instead");
  if (v[OPT_LEAKS].given && !(v[OPT_PROPERTY].number >> IR_P_LEAK & 1)) {
    diag_error (NULL, 0, 0, "--leaks has no meaning without --property=leak");
    return false;
  }
  return true;
}

// ---- commands with several ways -----------------------------------------------------------------------------------
bool options_are_only (const options *o, const char *way, const option_id *known) {
  for (uint32_t id = 0; id < o->num_known; id++) {
    const option_id *k = known;
    while (*k != NUM_OPTIONS && *k != id) k++;
    if (!o->value[id].given || *k != NUM_OPTIONS) continue;
    diag_error (NULL, 0, 0, "%s has no meaning with %s", o->known[id].row->name, way);
    return false;
  }
  if (!o->clang_flags.count) return true;
  diag_error (NULL, 0, 0, "flags for clang have no meaning with %s: %s", way, o->clang_flags.data[0]);
  return false;
}

bool options_are_honoured (const options *o, const engine *e, task *t) {
  engine_request s = engine_request_of (o);
  for (uint32_t id = 0; id < o->num_known; id++)
    if (o->known[id].row->uses & FOR_CHECK && !is_honoured (o, &s, id, e)) return false;
  return are_compatible (o) && engine_agrees (e, t) && list_engines_not_started (o, &s, e, t);
}
