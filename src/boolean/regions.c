// Reachable locations, and the number of atomic regions around each.  This depth must be the same on all paths to a
// location, so that the locations of the threads determine which threads may step.
#include "boolean/bp_program.h"

static bool region_error (const bp_program *p, bp_loc l, bp_error *error, const char *text) {
  const bp_location *d = bp_loc_at (p, l);
  strbuf_clear (&error->text);
  strbuf_add (&error->text, text);
  error->line = d->pos.line, error->column = d->pos.column;
  return false;
}

typedef VEC (bp_loc) loc_list;

static bool mark_location_reached (bp_program *p, loc_list *work, bp_loc l, uint32_t depth, bp_error *error) {
  bp_location *d = bp_loc_at (p, l);
  if (d->reached) {
    if (d->depth == depth) return true;
    return region_error (
        p, l, error,
        "this place is reached inside and outside of an atomic region, or at different depths of such regions");
  }
  d->reached = true;
  d->depth = (uint16_t) depth;
  vec_push (work, l);
  return true;
}

static bool mark_successors_reached (bp_program *p, loc_list *work, bp_loc l, bp_error *error) {
  const bp_location *d = bp_loc_at (p, l);
  uint32_t depth = d->depth;
  if (d->kind == BP_ATOMIC_END && !depth)
    return region_error (p, l, error, "no atomic region has begun that could end here");
  if (d->kind == BP_ATOMIC_BEGIN && depth == UINT16_MAX)
    return region_error (p, l, error, "too many atomic regions in each other");
  if (d->kind == BP_ATOMIC_BEGIN) depth++;
  if (d->kind == BP_ATOMIC_END) depth--;
  for (uint32_t i = 0; i < d->next.count; i++)
    if (!mark_location_reached (p, work, d->next.data[i], depth, error)) return false;
  return d->kind != BP_START_THREAD || mark_location_reached (p, work, d->thread, 0, error);
}

bool bp_find_regions (bp_program *p, bp_error *error) {
  loc_list work = {0};
  for (uint32_t i = 0; i < p->locs.count; i++) p->locs.data[i].reached = false, p->locs.data[i].depth = 0;
  bool good = mark_location_reached (p, &work, p->start, 0, error);
  while (good && work.count) good = mark_successors_reached (p, &work, vec_pop (&work), error);
  vec_release (&work);
  return good;
}
