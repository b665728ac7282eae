// The interface to BuDDy 2.4, which has one set of diagrams per process and ends the process when it runs out of nodes,
// unless an error hook is installed. The hook of this file leaves the whole work by longjmp; the memory of BuDDy is
// then freed. The same jump is taken when the budget is spent, which the work itself checks, and which hooks check
// within an operation whenever BuDDy collects garbage or measures an order of its variables.
#include <setjmp.h>
#include <stdatomic.h>

#include "base/diag.h"
#include "base/limits.h"
#include "prove/bdd_impl.h"

// With caches that are too small operations repeat the same work endlessly; a table that starts large delays a better
// order of the variables.
enum { NODES_PER_CACHE_ENTRY = 1, BYTES_PER_NODE = 170 /* with its share of the caches */ };
enum { FEW_VARIABLES = 32, FIRST_NODES_FOR_FEW = 1 << 12, FIRST_NODES = 1 << 18, FEWEST_NODES = 1 << 14 };
#define NEW_NODES 2000000  // added at once

static struct session {
  jmp_buf out;
  const budget *budget;
  const char *why;
} session;
static atomic_flag in_use = ATOMIC_FLAG_INIT;

static _Noreturn void leave_bdd_work (const char *why) {
  session.why = why;
  longjmp (session.out, 1);
}

void dd_stop_if_spent (void) {
  if (budget_spent (session.budget)) leave_bdd_work (prove_out_of_budget);
}

// ---- hooks ------------------------------------------------------------------------------------------

static void on_error (int code) {
  if (code != BDD_MEMORY && code != BDD_NODENUM) BUG ("BuDDy: %s", bdd_errstring (code));
  limit_met (BDD_NODES);
  leave_bdd_work ("the decision diagrams have too many nodes");
}

static void on_collection (int before, bddGbcStat *statistics) {
  (void) statistics;
  if (before) dd_stop_if_spent ();
}

// BuDDy calls this for the size of the diagrams after each change of the order.
static int on_probe (void) {
  dd_stop_if_spent ();
  return bdd_getnodenum ();
}

// The table takes 2 GB for LIMIT_BDD_NODES.
static int most_nodes (void) {
  size_t most = session.budget->bytes ? session.budget->bytes / BYTES_PER_NODE : LIMIT_BDD_NODES;
  return most > LIMIT_BDD_NODES ? LIMIT_BDD_NODES : most < FEWEST_NODES ? FEWEST_NODES : (int) most;
}

static void start_buddy (int variables) {
  int most = most_nodes (), nodes = variables < FEW_VARIABLES ? FIRST_NODES_FOR_FEW : FIRST_NODES;
  if (nodes > most / 2) nodes = most / 2;
  bdd_error_hook (on_error);  // bdd_init may fail, and resets the hooks
  bdd_init (nodes, nodes / NODES_PER_CACHE_ENTRY);
  bdd_error_hook (on_error);
  bdd_gbc_hook (on_collection);
  bdd_reorder_probe (on_probe);
  bdd_setmaxnodenum (most);
  bdd_setmaxincrease (NEW_NODES);
  bdd_setcacheratio (NODES_PER_CACHE_ENTRY);
}

const char *dd_run (const budget *b, int variables, void (*work) (void *), void *state) {
  if (atomic_flag_test_and_set (&in_use)) return "decision diagrams are in use by another proof";
  session.budget = b;
  session.why = NULL;
  if (setjmp (session.out) == 0) {
    start_buddy (variables);
    work (state);
  }
  if (bdd_isrunning ()) bdd_done ();
  atomic_flag_clear (&in_use);
  return session.why;
}

// ---- references -------------------------------------------------------------------------------------

void dd_set (BDD *place, BDD x) {
  BDD old = *place;
  *place = bdd_addref (x);
  bdd_delref (old);
}

void dd_push (dd_list *list, BDD x) { vec_push (list, bdd_addref (x)); }
