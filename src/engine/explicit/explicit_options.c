// The options of engine `explicit`, and which of them exclude each other.
#include "engine/explicit/explicit_options.h"

#include "logic/logic.h"

#define ROW(...) OPTION_ROW (explicit_options, __VA_ARGS__)
static const option_row explicit_rows[] = {EXPLICIT_OPTIONS (ROW)};
static const explicit_options explicit_initial = {EXPLICIT_OPTIONS (OPTION_INITIAL)};
const option_table explicit_option_table = OPTION_TABLE (explicit_rows, explicit_initial);

const explicit_options *explicit_options_of (const task *t) { return task_options (t, &engine_explicit); }

// Only a depth-first search can forget states; transactions return to old states.
static const char *conflicting_with_bitstate (const task *t, const explicit_options *o) {
  if (o->reduction == REDUCTION_TRANSACTIONS || o->reduction == REDUCTION_LEFT_MOVERS)
    return "--reduction=transactions or left-movers";
  if (o->search == SEARCH_BFS) return "--search=bfs";
  return t->depth ? "--depth" : NULL;
}

bool explicit_options_agree (const task *t, strbuf *why) {
  const explicit_options *o = explicit_options_of (t);
  const char *other = o->bitstate ? conflicting_with_bitstate (t, o) : NULL;
  bool named = o->reduction != REDUCTION_AUTO && o->reduction != REDUCTION_NONE;
  if (other) strbuf_printf (why, "--bitstate does not go with %s", other);
  else if (named && t->depth)
    strbuf_add (why, "--reduction does not go with --depth: a bound on steps counts those of every interleaving");
  else if (named && t->ltl && !ltl_is_of_threads (t->ltl))
    strbuf_add (why, "this --reduction does not go with --ltl: steps that the formula does not notice are left out, or "
                     "with --reduction=none nothing");
  else return true;
  return false;
}
