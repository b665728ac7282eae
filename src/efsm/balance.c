// Path and loop balancing. Within a procedure each point has a level: the length of the longest path to it from the
// entry without back edges. An exit that arrives too early is led through idle points. A call has the length of its
// callee from entry to return, so callees come first. Loop lengths become multiples of one period: the length of the
// longest innermost loop. After Ganai and Gupta, DAC 2008 (the paper's [21]).
#include "efsm/balance.h"

#include <stdlib.h>

// A path edge from a point to another point of the same procedure: an exit, or a call with its callee.
typedef struct link {
  uint32_t from, to, length;
  efsm_exit *exit;
  uint32_t site;
  bool back;
} link;

typedef struct balance {
  efsm *m;
  uint32_t period;
  uint32_t count;         // number of points before idle ones were added
  VEC (uint32_t) level;   // by point
  VEC (uint8_t) reached;  // by point: from the entry of its procedure
  VEC (uint32_t) length;  // by copy: length from its entry to its returns; IR_NONE: not known yet
  map chains;             // point << 32 | distance -> idle point with this distance to it
  uint32_t idle;
} balance;

typedef VEC (link) link_list;

// ---- the path edges of one procedure ----------------------------------------------------------------
static bool belongs (const balance *b, uint32_t point, uint32_t copy) { return b->m->points.data[point].copy == copy; }

static void add_links (balance *b, uint32_t point, link_list *links) {
  efsm_point *p = &b->m->points.data[point];
  for (uint32_t k = 0; k < p->exits.count; k++) {
    efsm_exit *e = &p->exits.data[k];
    if (e->returns != IR_NONE) continue;
    link l = {.from = point, .to = e->to, .length = 1, .exit = e, .site = IR_NONE};
    if (e->call != IR_NONE) {
      const efsm_site *s = &b->m->sites.data[e->call];
      if (s->to == IR_NONE) continue;
      l.to = s->to, l.site = e->call, l.length = 1 + b->length.data[s->copy], l.exit = NULL;
    }
    vec_push (links, l);
  }
}

static link_list links_of (balance *b, uint32_t copy) {
  link_list links = {0};
  for (uint32_t k = 0; k < b->count; k++)
    if (belongs (b, k, copy)) add_links (b, k, &links);
  return links;
}

// ---- back edges -------------------------------------------------------------------------------------
enum { NEW, OPEN, DONE };

typedef struct visit {
  uint32_t point, next;
} visit;

static uint32_t first_link_of (const link_list *links, uint32_t point) {
  uint32_t low = 0, high = links->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (links->data[middle].from < point) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Depth-first search; `order` is filled from the last point to the first.
static void find_back_links (balance *b, uint32_t entry, link_list *links, uint32_t *order, uint32_t *count) {
  uint8_t *mark = mem_zalloc (b->count);
  VEC (visit) stack = {0};
  *count = 0;
  mark[entry] = OPEN;
  vec_push (&stack, ((visit){entry, first_link_of (links, entry)}));
  while (stack.count) {
    visit *v = &vec_last (&stack);
    if (v->next == links->count || links->data[v->next].from != v->point) {
      mark[v->point] = DONE;
      b->reached.data[v->point] = 1;
      order[(*count)++] = v->point;
      stack.count--;
      continue;
    }
    link *l = &links->data[v->next++];
    l->back = mark[l->to] == OPEN;
    if (mark[l->to] != NEW) continue;
    mark[l->to] = OPEN;
    vec_push (&stack, ((visit){l->to, first_link_of (links, l->to)}));
  }
  vec_release (&stack);
  mem_free (mark, b->count);
}

static void find_levels (balance *b, const link_list *links, const uint32_t *order, uint32_t count) {
  for (uint32_t k = count; k-- > 0;) {
    uint32_t point = order[k], f = first_link_of (links, point);
    for (; f < links->count && links->data[f].from == point; f++) {
      const link *l = &links->data[f];
      uint32_t level = b->level.data[point] + l->length;
      if (!l->back && level > b->level.data[l->to]) b->level.data[l->to] = level;
    }
  }
}

static bool returns (const efsm_point *p) {
  for (uint32_t k = 0; k < p->exits.count; k++)
    if (p->exits.data[k].returns != IR_NONE) return true;
  return false;
}

static uint32_t level_of_returns (const balance *b, uint32_t copy) {
  uint32_t level = 0;
  for (uint32_t k = 0; k < b->count; k++)
    if (belongs (b, k, copy) && returns (&b->m->points.data[k]) && b->level.data[k] > level) level = b->level.data[k];
  return level;
}

// ---- loops ------------------------------------------------------------------------------------------
static uint32_t loop_length (const balance *b, const link *l) {
  return b->level.data[l->from] + l->length - b->level.data[l->to];
}

// A loop is not innermost if, by levels, another loop begins and ends inside it.
static bool holds_loop (const balance *b, const link_list *links, const link *outer) {
  for (uint32_t k = 0; k < links->count; k++) {
    const link *l = &links->data[k];
    if (l == outer || !l->back) continue;
    if (b->level.data[l->to] >= b->level.data[outer->to] && b->level.data[l->from] <= b->level.data[outer->from] &&
        loop_length (b, l) < loop_length (b, outer))
      return true;
  }
  return false;
}

static void note_period (balance *b, const link_list *links) {
  for (uint32_t k = 0; k < links->count; k++) {
    const link *l = &links->data[k];
    if (l->back && !holds_loop (b, links, l) && loop_length (b, l) > b->period) b->period = loop_length (b, l);
  }
}

static uint32_t delay_of (const balance *b, const link *l) {
  if (!l->back) return b->level.data[l->to] - b->level.data[l->from] - l->length;
  uint32_t rest = loop_length (b, l) % b->period;
  return rest ? b->period - rest : 0;
}

// ---- idle points ------------------------------------------------------------------------------------
// The point that many steps before this one, on a chain that all early exits share.
static uint32_t before (balance *b, uint32_t point, uint32_t distance) {
  if (!distance) return point;
  bool is_new;
  uint64_t key = (uint64_t) point << 32 | distance;
  uint64_t *found = map_find (&b->chains, key);
  if (found) return (uint32_t) *found;
  uint32_t next = before (b, point, distance - 1), idle = efsm_add_point (b->m, b->m->points.data[point].thread, "nop");
  b->m->points.data[idle].kind = POINT_IDLE;
  b->m->points.data[idle].copy = b->m->points.data[point].copy;
  efsm_add_exit (b->m, idle, next, b->m->terms.truth);
  map_insert (&b->chains, key, idle, &is_new);
  b->idle++;
  return idle;
}

static void delay_returns (balance *b, uint32_t copy, uint32_t site, uint32_t delay) {
  uint32_t last = level_of_returns (b, copy), to = b->m->sites.data[site].to;
  for (uint32_t k = 0; k < b->count; k++) {
    if (!belongs (b, k, copy) || !b->reached.data[k]) continue;
    for (uint32_t x = 0; x < b->m->points.data[k].exits.count; x++) {
      if (b->m->points.data[k].exits.data[x].returns != site) continue;
      uint32_t target = before (b, to, delay + last - b->level.data[k]);
      b->m->points.data[k].exits.data[x].to = target;
    }
  }
}

static void add_delays (balance *b, const link_list *links) {
  for (uint32_t k = 0; k < links->count; k++) {
    const link *l = &links->data[k];
    if (!b->reached.data[l->from]) continue;
    if (l->site != IR_NONE) delay_returns (b, b->m->sites.data[l->site].copy, l->site, delay_of (b, l));
    else {
      // `before` may reallocate the points; their exits stay in place
      uint32_t target = before (b, l->to, delay_of (b, l));
      l->exit->to = target;
    }
  }
}

// ---- callees before callers -------------------------------------------------------------------------
typedef VEC (uint32_t) number_list;

static void order_copies (const efsm *m, uint32_t copy, uint8_t *mark, number_list *order) {
  if (mark[copy]) return;
  mark[copy] = OPEN;
  for (uint32_t s = 0; s < m->sites.count; s++)
    if (m->points.data[m->sites.data[s].from].copy == copy) order_copies (m, m->sites.data[s].copy, mark, order);
  vec_push (order, copy);
}

static void measure (balance *b, uint32_t copy, uint32_t *scratch) {
  link_list links = links_of (b, copy);
  uint32_t count;
  find_back_links (b, b->m->copies.data[copy].entry, &links, scratch, &count);
  find_levels (b, &links, scratch, count);
  note_period (b, &links);
  b->length.data[copy] = level_of_returns (b, copy) + 1;
  vec_release (&links);
}

static void pad (balance *b, uint32_t copy, uint32_t *scratch) {
  link_list links = links_of (b, copy);
  uint32_t count;
  find_back_links (b, b->m->copies.data[copy].entry, &links, scratch, &count);
  add_delays (b, &links);
  vec_release (&links);
}

uint32_t efsm_balance (efsm *m) {
  balance b = {.m = m, .count = m->points.count, .period = 1};
  for (uint32_t k = 0; k < b.count; k++) {
    vec_push (&b.level, 0);
    vec_push (&b.reached, 0);
  }
  for (uint32_t c = 0; c < m->copies.count; c++) vec_push (&b.length, 1);
  uint8_t *mark = mem_zalloc (m->copies.count + 1);
  uint32_t *scratch = mem_alloc (sizeof *scratch * (b.count + 1));
  number_list order = {0};
  for (uint32_t c = 0; c < m->copies.count; c++)
    if (m->copies.data[c].entry != IR_NONE) order_copies (m, c, mark, &order);
  for (uint32_t k = 0; k < order.count; k++) measure (&b, order.data[k], scratch);
  for (uint32_t k = 0; k < order.count; k++) pad (&b, order.data[k], scratch);
  mem_free (mark, m->copies.count + 1);
  mem_free (scratch, sizeof *scratch * (b.count + 1));
  vec_release (&order);
  vec_release (&b.level);
  vec_release (&b.reached);
  vec_release (&b.length);
  map_release (&b.chains);
  return b.idle;
}
