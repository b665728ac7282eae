#include "engine/boolean/reduce.h"
struct reduction {
  search *search;
};
reduction *reduction_new (search *s) {
  reduction *r = mem_zalloc (sizeof *r);
  r->search = s;
  return r;
}
void reduction_free (reduction *r) { mem_free (r, sizeof *r); }
uint32_t reduction_choose (reduction *r, const sym_state *x) {
  (void) r;
  (void) x;
  return BP_NONE;
}
