// The rules of the SARIF log: each property and each other question, with the names and explanations that editors and
// code scanning show.
#include "report/sarif_impl.h"

typedef struct rule_text {
  const char *id, *name, *summary, *meaning, *advice;
  const char *tags[3];  // besides "concurrency"; the CWE in the form that code scanning knows
  const char *level;
} rule_text;

static const rule_text rules[SARIF_NUM_RULES] = {
    [IR_P_ASSERT] =
        {.id = "assert",
         .name = "FailedAssertion",
         .summary = "An assertion can fail.",
         .meaning =
             "There is an execution in which an assertion does not hold, or in which an error function that must not "
             "be called is reached.",
         .advice =
             "Follow the steps to see which order of the threads, and which values, make the condition false. Often an "
             "update that belongs together is interrupted: hold one lock around all of it.",
         .tags = {"correctness", "external/cwe/cwe-617"},
         .level = "error"},
    [IR_P_RACE] = {.id = "race",
                   .name = "DataRace",
                   .summary = "Two threads access the same memory at once, and at least one of them writes.",
                   .meaning =
                       "Two threads stand before accesses to the same bytes. At least one is a write, at least one is "
                       "not atomic, and "
                       "nothing orders them. In C that is undefined behaviour: values may be torn, lost or invented.",
                   .advice =
                       "Protect both accesses by the same mutex, make the variable `_Atomic`, or let one thread wait "
                       "until the other "
                       "one has finished (`pthread_join`, a condition variable, a barrier). `volatile` does not help.",
                   .tags = {"security", "external/cwe/cwe-362"},
                   .level = "error"},
    [IR_P_DEADLOCK] = {.id = "deadlock",
                       .name = "Deadlock",
                       .summary = "Threads wait for each other, or for a signal that nobody can send any more.",
                       .meaning =
                           "The program can reach a state from which some of its threads can never go on: each waits "
                           "for a lock that another one "
                           "of them holds, or for a signal, a post or an end of a thread that cannot come any more.",
                       .advice = "Take locks in the same order everywhere. Wait for conditions in a loop that tests "
                                 "the condition under the mutex, "
                                 "and change the condition under the same mutex before the signal.",
                       .tags = {"reliability", "external/cwe/cwe-833"},
                       .level = "error"},
    [IR_P_LOCKS] = {.id = "locks",
                    .name = "LockMisuse",
                    .summary = "A lock is used in a way that its rules forbid.",
                    .meaning = "A thread gives back a lock that it does not hold, takes a lock again that is not "
                               "recursive, waits without its mutex, "
                               "destroys a lock that is in use, or ends while it holds one.",
                    .advice = "Give every lock back on each path, in the thread that took it, exactly once.",
                    .tags = {"correctness", "external/cwe/cwe-667"},
                    .level = "error"},
    [IR_P_MEMORY] = {.id = "memory",
                     .name = "MemoryError",
                     .summary = "Memory is accessed or freed that is not there.",
                     .meaning = "A null or dangling pointer is used, an access lies outside of its object, or memory "
                                "is freed twice or was never "
                                "allocated.",
                     .advice = "Follow the steps to the thread that freed the memory or left the function that owned "
                               "it, and let it wait for the last user.",
                     .tags = {"security", "external/cwe/cwe-119"},
                     .level = "error"},
    [IR_P_OVERFLOW] =
        {.id = "overflow",
         .name = "SignedOverflow",
         .summary = "Signed arithmetic leaves the range of its type.",
         .meaning =
             "The result of an operation on signed integers cannot be represented, which is undefined behaviour in C.",
         .advice =
             "Check the operands first, use a wider or an unsigned type, or `__builtin_add_overflow` and its kind.",
         .tags = {"correctness", "external/cwe/cwe-190"},
         .level = "error"},
    [IR_P_LEAK] = {.id = "leak",
                   .name = "MemoryLeak",
                   .summary = "Memory is never freed.",
                   .meaning =
                       "The program can end while memory that it has allocated is neither freed nor pointed to by any "
                       "variable, or is not freed although everything must be.",
                   .advice = "Free the memory on each path before the last pointer to it is overwritten or goes away.",
                   .tags = {"reliability", "external/cwe/cwe-401"},
                   .level = "error"},
    [IR_P_UNINIT] = {.id = "uninit",
                     .name = "UninitialisedValue",
                     .summary = "A value that was never written is used.",
                     .meaning =
                         "A value that was read from memory that was never written decides a branch, an address or "
                         "what the program puts out.",
                     .advice = "Initialise the variable where it is declared, and memory where it is allocated.",
                     .tags = {"correctness", "external/cwe/cwe-457"},
                     .level = "error"},
    [SARIF_FORGOTTEN_LOCK] =
        {.id = "forgotten-lock",
         .name = "ForgottenLock",
         .summary = "A function returns with a lock held on some of its paths, but not on others.",
         .meaning =
             "The function takes a lock and gives it back on some paths but not on others, and no caller gives it back "
             "either. This is advice: it has no part in the verdict.",
         .advice = "Give the lock back on the path that is named, or say in the function's contract who does.",
         .tags = {"correctness", "external/cwe/cwe-667"},
         .level = "note"},
    [SARIF_FORMULA] =
        {.id = "ltl",
         .name = "TemporalProperty",
         .summary = "A run violates the formula, or shows that it can hold.",
         .meaning =
             "A run of the program violates the formula of --ltl. If the formula is about single threads, the run is a "
             "path through one thread that violates the formula or shows that it can hold; whether the conditions on "
             "data along this path can be true was not checked.",
         .advice = "Follow the locations of the run, and check whether all conditions on it can be true together.",
         .tags = {"correctness"},
         .level = "warning"},
    [SARIF_PLACES] =
        {.id = "reach-pair",
         .name = "ReachablePair",
         .summary = "Two threads can be at the two places at once.",
         .meaning =
             "There is an execution in which one thread stands at the first place of --reach-pair and another one at "
             "the second.",
         .advice = "If they must not, let the same lock protect both places.",
         .tags = {"correctness"},
         .level = "error"},
};

unsigned sarif_rule_of (const sarif *s, const goal *g) {
  return goal_is_formula (g) ? SARIF_FORMULA : s->in->question ? SARIF_PLACES : g->property;
}

const char *sarif_rule_id (unsigned number) { return rules[number].id; }

static json_t *help (sarif *s, const rule_text *r) {
  json_t *o = json_object ();
  sarif_set (s, o, "text", json_string (arena_printf (s->arena, "%s %s", r->meaning, r->advice)));
  sarif_set (s, o, "markdown",
             json_string (arena_printf (s->arena, "**%s**\n\n%s\n\n**What may help.** %s\n", r->summary, r->meaning,
                                        r->advice)));
  return o;
}

static json_t *properties (sarif *s, const rule_text *r) {
  json_t *o = json_object (), *tags = json_array ();
  sarif_append (s, tags, json_string ("concurrency"));
  for (unsigned i = 0; i < sizeof r->tags / sizeof *r->tags && r->tags[i]; i++)
    sarif_append (s, tags, json_string (r->tags[i]));
  sarif_set (s, o, "tags", tags);
  bool advice = r == &rules[SARIF_FORGOTTEN_LOCK] || r == &rules[SARIF_FORMULA];
  sarif_set (s, o, "precision", json_string (advice ? "medium" : "very-high"));
  sarif_set (s, o, "problem.severity", json_string (advice ? "recommendation" : "error"));
  return o;
}

json_t *sarif_rule (sarif *s, unsigned number) {
  const rule_text *r = &rules[number];
  json_t *o = json_object ();
  sarif_set (s, o, "id", json_string (r->id));
  sarif_set (s, o, "name", json_string (r->name));
  sarif_set (s, o, "shortDescription", sarif_message (s, r->summary));
  sarif_set (s, o, "fullDescription", sarif_message (s, r->meaning));
  sarif_set (s, o, "help", help (s, r));
  sarif_set (s, o, "defaultConfiguration", json_pack ("{ss}", "level", r->level));
  sarif_set (s, o, "properties", properties (s, r));
  return o;
}
