// A verdict made by hand, for the tests of the writers: one data race between two threads, deadlock proved.
#ifndef LOCKSTEP_REPORT_SAMPLE_H
#define LOCKSTEP_REPORT_SAMPLE_H

#include "report/report.h"

typedef struct sample {
  verdict verdict;
  semantics semantics;
  report_input input;
} sample;

static inline void sample_step (goal *g, uint32_t thread, uint32_t line, const char *function, ir_step op,
                                const char *object,
                                const char *value, const char *held) {
  trace_step s = {.thread = thread, .number = g->steps.count + 1, .pos = {"dir/a.c", line, 3}, .function = function,
                  .op = op,
                  .object = object, .value = value, .text = "counter++;", .other = IR_NONE};
  if (held) vec_push (&s.held, held);
  s.switched = g->steps.count && vec_last (&g->steps).thread != thread;
  vec_push (&g->steps, s);
}

static inline void sample_init (sample *s) {
  *s = (sample){.semantics = {.properties = 1 << IR_P_RACE | 1 << IR_P_DEADLOCK | 1 << IR_P_MEMORY, .max_threads = 8}};
  verdict *v = &s->verdict;
  verdict_init (v);
  v->seconds = 0.41;
  goal g = {.id = "race-1", .property = IR_P_RACE, .status = GOAL_VIOLATED, .engine = "explicit",
            .message = "data race on `counter`: write by thread 1, read by thread 2"};
  sample_step (&g, 0, 21, "main", IR_STEP_CREATE, "worker", "thread 1", NULL);
  vec_last (&g.steps).other = 1;
  sample_step (&g, 0, 22, "main", IR_STEP_CREATE, "other", "thread 2", NULL);
  vec_last (&g.steps).other = 2;
  sample_step (&g, 1, 9, "worker", IR_STEP_LOCK, "m", NULL, "m");
  sample_step (&g, 1, 10, "worker", IR_STEP_LOAD, "counter", "0", "m");
  // not executed, like the last step of the other thread
  sample_step (&g, 1, 10, "worker", IR_STEP_STORE, "counter", "1", "m");
  sample_step (&g, 2, 11, "other", IR_STEP_START, NULL, NULL, NULL);
  sample_step (&g, 2, 12, "other", IR_STEP_LOAD, "counter", NULL, NULL);
  vec_push (&g.locations, ((goal_location){{"dir/a.c", 10, 3}, "worker", 1, "write of counter",
                                           {.kind = ROLE_WRITES, .object = "counter"}}));
  vec_push (&g.locations, ((goal_location){{"dir/a.c", 12, 5}, "other", 2, "read of counter",
                                           {.kind = ROLE_READS, .object = "counter"}}));
  g.claim.property = IR_P_RACE;
  g.claim.num_threads = 2;
  g.claim.thread[0] = 1, g.claim.thread[1] = 2;
  g.claim.edge[0].i = 70, g.claim.edge[1].i = 71;
  schedule_add (&g.claim.schedule, 0, 12);
  schedule_add (&g.claim.schedule, 1, 4000000000u);
  vec_push (&g.claim.schedule.choices, (ir_value) 0x2a);
  vec_push (&g.claim.schedule.choices, (ir_value) 1 << 127 | 5);
  vec_push (&v->goals, g);
  v->answers[IR_P_DEADLOCK] = (property_answer){.status = GOAL_PROVED, .rest = GOAL_PROVED, .engine = "explicit"};
  verdict_sum_up (v, 1u << IR_P_DEADLOCK, NULL);
  verdict_add_assumption (v, "`foo()` has no body: returns any value");
  verdict_add_bound (v, "nondet_int at a.c:7: 9 of 2^32 values");
  v->answers[IR_P_RACE].rest = GOAL_BOUNDED;
  verdict_add_stat (v, "states", 1204, "3.1 per transition");
  verdict_add_stat (v, "large count", ((uint64_t) 1 << 53) + 1, NULL);
  verdict_settle (v, 1u << IR_P_RACE | 1u << IR_P_DEADLOCK);
  s->input = (report_input){.version = "1.2", .verdict = v, .semantics = &s->semantics, .engine = "explicit",
                              .language = "C",
                            .program_hash = 0xabc, .memory_bytes = 1000};
  vec_push (&s->input.files, "dir/a.c");
  vec_push (&s->input.given_files, "dir/a.c");
  vec_push (&s->input.clang_flags, "-DX=1");
  vec_push (&s->input.options, ((report_option){.name = "entry", .kind = REPORT_TEXT, .text = "main"}));
  vec_push (&s->input.options, ((report_option){.name = "max-threads", .kind = REPORT_NUMBER, .number = 8}));
  vec_push (&s->input.options, ((report_option){.name = "may-fail", .kind = REPORT_BOOL, .number = 1}));
}

static inline void sample_release (sample *s) {
  vec_release (&s->input.files);
  vec_release (&s->input.given_files);
  vec_release (&s->input.clang_flags);
  vec_release (&s->input.options);
  verdict_release (&s->verdict);
}

// Returns what a writer writes; to be freed.
static inline char *sample_write (const report_input *input, report_writer *write) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  bool good = f && write (input, f);
  if (f) fclose (f);
  return good ? text : NULL;
}

#endif
