// Makes the message and the locations of a violation that shows in the state of the interpreter's machine, in the words
// of C programmers.
#include "verdict/verdict_impl.h"

enum { SHOWN_CLAUSES = 8 };  // of a deadlock message

static const char *keep_description (machine *m, strbuf *text) {
  const char *copy = arena_strdup (m->arena, strbuf_text (text));
  strbuf_release (text);
  return copy;
}

static void add_location (goal *g, goal_location l) {
  if (g) vec_push (&g->locations, l);
}

static void locate_as (goal *g, const action *a, const char *what, goal_role role) {
  add_location (g, (goal_location){action_position (a), action_function (a), a->t->slot, what, role});
}

static void locate (goal *g, const action *a, const char *what) { locate_as (g, a, what, (goal_role){0}); }

// Adds the location of something that happened to the object before.
static void locate_edge (machine *m, goal *g, ir_edge e, uint32_t slot, const char *what, role_kind kind) {
  const ir_program *p = m->program;
  const char *function = ir_proc_at (p, ir_loc_at (p, ir_edge_at (p, e)->from)->proc)->name;
  add_location (g, (goal_location){ir_edge_at (p, e)->pos, function, slot, what, {.kind = kind}});
}

static void set_fault (goal *g, ir_fault fault) {
  if (g) g->fault = fault;
}

static void set_subject (machine *m, goal *g, strbuf *name) {
  if (g && name->count) g->about = arena_strdup (m->arena, strbuf_text (name));
}

static void add_edge_position (const action *a, strbuf *out) {
  strbuf_add (out, " at ");
  name_place (a->m->program, action_user_edge (a), out);
}

// ---- race ----------------------------------------------------------------------------------------------

static const char *access_word (const action *a, const judge_access *x) {
  if (a->d->op == IR_FREE || ir_op_table[a->d->op].group != 'M') return ir_step_of (trace_step_of (a->d->op))->word;
  return x->plain ? (x->write ? "write" : "read") : x->write ? "atomic write" : "atomic read";
}

static role_kind access_role (const action *a, const judge_access *x) {
  if (a->d->op == IR_FREE) return ROLE_FREES;
  if (ir_op_table[a->d->op].group != 'M') return ROLE_SYNCHRONISES;
  return x->plain ? (x->write ? ROLE_WRITES : ROLE_READS) : x->write ? ROLE_WRITES_ATOMIC : ROLE_READS_ATOMIC;
}

// Describes a pair of accesses that ir_add_pair added: each access is named by its place.
static const char *describe_pair (machine *m, const claim *c, goal *g) {
  strbuf text = {0};
  for (unsigned i = 0; i < 2; i++) {
    action a = action_of (m, c->thread[i]);
    strbuf_printf (&text, "%sthread %u at `%s` (", i ? ", while " : "", c->thread[i], a.d->name);
    name_place (m->program, action_user_edge (&a), &text);
    strbuf_add (&text, ")");
    if (g)
      locate_as (g, &a, arena_printf (m->arena, "at `%s`", a.d->name),
                 (goal_role){.kind = ROLE_AT, .object = a.d->name});
  }
  return keep_description (m, &text);
}

static const char *describe_race (machine *m, const claim *c, goal *g) {
  if (ir_edge_is_place (m->program, c->edge[0])) return describe_pair (m, c, g);
  action a[2] = {action_of (m, c->thread[0]), action_of (m, c->thread[1])};
  judge_access which[2];
  strbuf text = {0}, name = {0};
  unsigned named = a[0].d->op == IR_FREE;  // the access says more than the free
  if (!detect_race (m, c->thread[0], c->thread[1], which)) return "data race";
  uint64_t common = which[0].address > which[1].address ? which[0].address : which[1].address;
  if (name_is_static (m, common)) name_object (m, common, false, &name);
  else name_access (&a[named], which[named].address, &name);
  strbuf_printf (&text, "data race on `%s`: ", strbuf_text (&name));
  for (unsigned i = 0; i < 2; i++) {
    const char *word = access_word (&a[i], &which[i]);
    strbuf_printf (&text, "%s%s by thread %u", i ? ", " : "", word, c->thread[i]);
    add_edge_position (&a[i], &text);
    goal_role role = {.kind = access_role (&a[i], &which[i]), .object = arena_strdup (m->arena, strbuf_text (&name))};
    if (g) locate_as (g, &a[i], arena_printf (m->arena, "%s of `%s`", word, role.object), role);
  }
  set_subject (m, g, &name);
  strbuf_release (&name);
  return keep_description (m, &text);
}

// ---- deadlock ------------------------------------------------------------------------------------------

static void holder_text (const wait_cause *cause, uint32_t self, strbuf *out) {
  if (cause->holder == self)
    strbuf_add (out, cause->shared ? "which it holds itself for reading" : "which it already holds");
  else if (cause->holder == IR_NONE) strbuf_add (out, "held by a thread that has ended");
  else strbuf_printf (out, "held %sby thread %u", cause->shared ? "for reading " : "", cause->holder);
}

// The text is part of the fingerprints in baselines (report/fingerprint.c): it must not change.
static void wait_text (machine *m, uint32_t slot, const bool *stuck, strbuf *out) {
  action a = action_of (m, slot);
  wait_cause cause = detect_cause (m, slot, stuck);
  strbuf name = {0};
  if (cause.kind != WAIT_THREAD) name_shared (&a, cause.address, &name);
  const char *n = strbuf_text (&name);
  switch (cause.kind) {
  case WAIT_THREAD:
    if (cause.holder == slot) strbuf_add (out, "waits for itself to end");
    else strbuf_printf (out, "waits for thread %u to end", cause.holder);
    break;
  case WAIT_COND: strbuf_printf (out, "waits at condition variable `%s` and nobody is left to signal it", n); break;
  case WAIT_SEM: strbuf_printf (out, "waits at semaphore `%s` and nobody is left to post it", n); break;
  case WAIT_BARRIER: strbuf_printf (out, "waits at barrier `%s` and nobody is left to arrive", n); break;
  case WAIT_ONCE:
    strbuf_printf (out, "waits for the routine of once control `%s`", n);
    if (cause.holder == slot) strbuf_add (out, ", which it runs itself");
    else if (cause.holder == IR_NONE) strbuf_add (out, ", whose thread has ended");
    else strbuf_printf (out, " run by thread %u", cause.holder);
    break;
  case WAIT_LOCK:
    strbuf_printf (out, "waits for `%s`%s", n, cause.holder == slot || cause.holder == IR_NONE ? ", " : " ");
    holder_text (&cause, slot, out);
    break;
  }
  strbuf_release (&name);
}

static goal_role wait_role (machine *m, uint32_t slot, const bool *stuck) {
  static const role_kind kinds[] = {
      [WAIT_LOCK] = ROLE_WAITS_LOCK, [WAIT_THREAD] = ROLE_WAITS_THREAD,   [WAIT_COND] = ROLE_WAITS_COND,
      [WAIT_SEM] = ROLE_WAITS_SEM,   [WAIT_BARRIER] = ROLE_WAITS_BARRIER, [WAIT_ONCE] = ROLE_WAITS_ONCE};
  action a = action_of (m, slot);
  wait_cause cause = detect_cause (m, slot, stuck);
  goal_role role = {.kind = kinds[cause.kind], .shared = cause.shared};
  if (cause.kind == WAIT_LOCK || cause.kind == WAIT_ONCE || cause.kind == WAIT_THREAD)
    role.holder = cause.holder == slot ? HOLDER_SELF : cause.holder == IR_NONE ? HOLDER_ENDED : HOLDER_OTHER;
  if (cause.kind == WAIT_THREAD) return role;
  strbuf name = {0};
  name_shared (&a, cause.address, &name);
  role.object = keep_description (m, &name);
  return role;
}

// Adds the name of the object that the thread waits for.  A wait for the end of a thread has no such object.
static void add_awaited (machine *m, uint32_t slot, const bool *stuck, strbuf *out) {
  action a = action_of (m, slot);
  wait_cause cause = detect_cause (m, slot, stuck);
  if (cause.kind == WAIT_THREAD) return;
  strbuf_add (out, out->count ? ", " : "");
  name_shared (&a, cause.address, out);
}

// "; besides, thread 0 waits for thread 1 to end": bystanders are not part of the cycle.
static void add_bystanders (machine *m, const deadlock_core *core, strbuf *out) {
  bool stuck[IR_MAX_THREADS];
  uint32_t count = core->num_waiting, named = count > SHOWN_CLAUSES ? SHOWN_CLAUSES : count;
  if (count == 1) {
    detect_stuck (m, stuck);
    strbuf_printf (out, "; besides, thread %u ", core->waiting[0]);
    wait_text (m, core->waiting[0], stuck, out);
  } else if (count) {
    strbuf_add (out, "; besides, threads ");
    for (uint32_t i = 0; i < named; i++)
      strbuf_printf (out, "%s%u", !i ? "" : i + 1 < count ? ", " : " and ", core->waiting[i]);
    if (named < count) strbuf_printf (out, " and %u more", count - named);
    strbuf_printf (out, " wait for %s", core->num_threads == 1 ? "it" : "them");
  }
}

// Describes a deadlock whose claim was reduced to its core (confirm.c).
static const char *describe_deadlock (machine *m, const claim *c, goal *g) {
  bool claimed[IR_MAX_THREADS] = {false};
  deadlock_core core;
  for (uint32_t i = 0; i < c->num_threads; i++) claimed[c->thread[i]] = true;
  core_find (m, claimed, &core);
  strbuf text = {0}, awaited = {0};
  strbuf_add (&text, "deadlock: ");
  for (uint32_t i = 0; i < core.num_threads; i++) {
    strbuf wait = {0};
    wait_text (m, core.thread[i], core.stuck, &wait);
    if (i < SHOWN_CLAUSES) strbuf_printf (&text, "%sthread %u %s", i ? "; " : "", core.thread[i], strbuf_text (&wait));
    action a = action_of (m, core.thread[i]);
    if (g) locate_as (g, &a, arena_strdup (m->arena, strbuf_text (&wait)), wait_role (m, core.thread[i], core.stuck));
    strbuf_release (&wait);
    add_awaited (m, core.thread[i], core.stuck, &awaited);
  }
  set_subject (m, g, &awaited);
  strbuf_release (&awaited);
  if (core.num_threads > SHOWN_CLAUSES) strbuf_printf (&text, "; and %u more", core.num_threads - SHOWN_CLAUSES);
  add_bystanders (m, &core, &text);
  return keep_description (m, &text);
}

// ---- locks ---------------------------------------------------------------------------------------------

static const char *describe_misuse (machine *m, const claim *c, goal *g) {
  action a = action_of (m, c->thread[0]);
  wrong_use use = misuse_of (&a);
  const char *what = use.fault ? misuse_text (m, use) : NULL, *hole = what ? strstr (what, "{}") : NULL;
  strbuf text = {0}, name = {0};
  if (use.address && ir_op_table[a.d->op].group == 'S') name_shared (&a, use.address, &name);
  else if (use.address) name_object (m, use.address, true, &name);
  if (hole) {
    strbuf_add_bytes (&text, what, (size_t) (hole - what));
    strbuf_printf (&text, "`%s`%s", strbuf_text (&name), hole + 2);
  } else strbuf_add (&text, what ? what : "misuse of a lock");
  set_subject (m, g, &name);
  set_fault (g, use.fault);
  strbuf_release (&name);
  const char *result = keep_description (m, &text);
  locate (g, &a, result);
  return result;
}

// ---- memory --------------------------------------------------------------------------------------------

// Returns the library function whose model the thread executes, as the user called it; NULL: the thread is in user
// code.
static const char *model_function (const action *a) {
  const ir_program *p = a->m->program;
  const char *name = NULL;
  for (uint32_t i = a->t->frames.count; i-- > 0 && ir_proc_at (p, a->t->frames.data[i].proc)->internal;)
    name = ir_proc_at (p, a->t->frames.data[i].proc)->name;
  return name;
}

static void add_life (machine *m, const object *o, uint64_t number, goal *g, strbuf *text) {
  const ir_program *p = m->program;
  ir_edge made = {o->origin}, ended = {o->ended_by};
  strbuf_add (text, " (allocated at ");
  name_place (p, made, text);
  locate_edge (m, g, made, object_slot (m, number), "allocated here", ROLE_ALLOCATED);
  if (ended.i != IR_NONE) {
    strbuf_add (text, ", freed at ");
    name_place (p, ended, text);
    locate_edge (m, g, ended, o->freeing_thread, "freed here", ROLE_FREED);
  }
  strbuf_add_char (text, ')');
}

// Whether the address lies before the next object: a pointer that was moved below its object lands in the upper half of
// the offsets of the previous number.
static bool is_before_object (machine *m, const fault *f) {
  uint64_t offset = address_offset (m->program, f->address);
  object *next = object_find (m, address_object (m->program, f->address) + 1);
  return f->kind <= IR_FAULT_BOUNDS && f->kind != IR_FAULT_NONE && offset >> (m->program->offset_bits - 1) && next;
}

static const char *describe_fault (machine *m, const claim *c, goal *g) {
  action a = action_of (m, c->thread[0]);
  const ir_program *p = m->program;
  fault f = m->fault;
  bool before = is_before_object (m, &f);
  uint64_t number = address_object (p, f.address), offset = address_offset (p, f.address);
  const object *o = number ? object_find (m, number) : NULL;
  ir_fault kind = before ? IR_FAULT_BOUNDS : f.kind;
  const char *what = ir_fault_text (m->arena, kind, "");
  strbuf text = {0}, name = {0};
  strbuf_add (&text, what);
  locate (g, &a, what);
  set_fault (g, kind);
  if (before && !name_from_text (&a, f.address, &name)) name_object (m, address_make (p, number + 1, 0), false, &name);
  else if (!before) name_access (&a, f.address, &name);
  if (strcmp (strbuf_text (&name), "NULL")) {
    strbuf_printf (&text, ": `%s`", strbuf_text (&name));
    set_subject (m, g, &name);
  }
  if (before)
    strbuf_printf (&text, " (%llu bytes before the object)", (1ull << p->offset_bits) - (unsigned long long) offset);
  else if (o && f.kind == IR_FAULT_BOUNDS)
    strbuf_printf (&text, " (offset %llu of %u bytes)", (unsigned long long) offset, o->size);
  else if (o && (f.kind == IR_FAULT_FREED || f.kind == IR_FAULT_DOUBLE_FREE)) add_life (m, o, number, g, &text);
  if (model_function (&a)) strbuf_printf (&text, " in `%s`", model_function (&a));
  strbuf_release (&name);
  return keep_description (m, &text);
}

// ---- exclusive access ----------------------------------------------------------------------------------

static const char *describe_ownership (machine *m, const claim *c, goal *g) {
  action a = action_of (m, c->thread[0]);
  const ir_program *p = m->program;
  const ownership *o = m->broken;
  uint32_t self = c->thread[0], owner = m->owner;
  strbuf text = {0}, object = {0};
  if (o->name) strbuf_add (&object, o->name);
  else name_object (m, o->address, false, &object);
  const char *name = strbuf_text (&object);
  if (m->fault.kind == IR_FAULT_INTRUSION) strbuf_printf (&text, "use of `%s`, which thread %u owns", name, owner);
  else if (m->fault.kind == IR_FAULT_OWNED_TWICE)
    strbuf_printf (&text, "threads %u and %u own `%s` at once", owner < self ? owner : self,
                   owner < self ? self : owner, name);
  else if (own_holds (m, o)) strbuf_printf (&text, "thread %u takes `%s` from thread %u", self, name, owner);
  else strbuf_printf (&text, "thread %u makes thread %u own `%s`", self, owner, name);
  locate (g, &a, arena_strdup (m->arena, strbuf_text (&text)));
  strbuf_add (&text, " (declared at ");
  name_place (p, o->edge, &text);
  strbuf_add_char (&text, ')');
  set_fault (g, m->fault.kind);
  locate_edge (m, g, o->edge, owner, "declared here", ROLE_DECLARED);
  strbuf_release (&object);
  return keep_description (m, &text);
}

// Describes the use of an unwritten value.  The check of definedness may name the address that the value was read from.
static const char *describe_unwritten (const action *a, const char *message, goal *g) {
  const ir_program *p = a->m->program;
  strbuf text = {0};
  strbuf_add (&text, message);
  if (model_function (a)) strbuf_printf (&text, " (in `%s`)", model_function (a));
  locate (g, a, arena_strdup (a->m->arena, strbuf_text (&text)));
  uint64_t address = a->d->num_name_args ? (uint64_t) eval (a, p->args.data[a->d->first_name_arg]) : 0;
  uint64_t number = address_object (p, address);
  const object *o = number ? object_find (a->m, number) : NULL;
  if (o && o->kind == OBJECT_HEAP && o->alive) add_life (a->m, o, number, g, &text);
  return keep_description (a->m, &text);
}

// Returns the fault of a failed check.  A check that stands for an error function of SV-COMP carries the name of that
// function.
static ir_fault fault_of_check (const ir_edge_data *d) {
  if (d->aux != IR_P_ASSERT || !d->name) return IR_FAULT_CHECK;
  return strcmp (d->name, "reach_error") ? IR_FAULT_VERIFIER_ERROR : IR_FAULT_REACH_ERROR;
}

static const char *describe_check (machine *m, const claim *c, goal *g) {
  action a = action_of (m, c->thread[0]);
  set_fault (g, fault_of_check (a.d));
  const char *text =
      a.d->message ? a.d->message : arena_printf (m->arena, "%s violated", ir_property_name[c->property]);
  if (c->property == IR_P_UNINIT) return describe_unwritten (&a, text, g);
  locate (g, &a, text);
  return text;
}

// ---- lost memory ---------------------------------------------------------------------------------------

static const char *describe_leak (machine *m, const claim *c, goal *g) {
  action a = action_of (m, c->thread[0]);
  uint64_t first = 0;
  uint32_t count = leak_find (m, a.d->op == IR_EXIT ? IR_NONE : c->thread[0], &first);
  const object *o = object_find (m, first);
  const ir_program *p = m->program;
  ir_edge made = {o->origin};
  strbuf text = {0};
  strbuf_printf (&text, "%u bytes allocated at ", o->size);
  name_place (p, made, &text);
  strbuf_add (&text, m->semantics.all_leaks ? " are not freed when the program ends"
                                            : " are never freed: no pointer leads to them when the program ends");
  if (count > 1) strbuf_printf (&text, " (and %u more block%s)", count - 1, count > 2 ? "s" : "");
  locate (g, &a, "the program ends");
  set_fault (g, IR_FAULT_LEAK);
  locate_edge (m, g, made, object_slot (m, first), "allocated here", ROLE_ALLOCATED);
  return keep_description (m, &text);
}

const char *describe_violation (machine *m, const claim *c, goal *g) {
  switch (c->property) {
  case IR_P_LEAK: return describe_leak (m, c, g);
  case IR_P_RACE: return describe_race (m, c, g);
  case IR_P_DEADLOCK: return describe_deadlock (m, c, g);
  case IR_P_LOCKS:
    if (ir_edge_at (m->program, c->edge[0])->op != IR_CHECK) return describe_misuse (m, c, g);
    break;
  case IR_P_ASSERT:
    if (ir_edge_at (m->program, c->edge[0])->op != IR_CHECK) return describe_ownership (m, c, g);
    break;
  case IR_P_MEMORY:
    if (ir_edge_at (m->program, c->edge[0])->op != IR_CHECK) return describe_fault (m, c, g);
    break;
  default: break;
  }
  return describe_check (m, c, g);
}
