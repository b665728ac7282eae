// Prints the machine as text, to show why a depth is as it is (-v -v -v).
#include "efsm/efsm.h"

#include "base/strbuf.h"

static const char *const kind_name[] = {
    [POINT_BLOCK] = "block", [POINT_READ_SYNC] = "r", [POINT_WRITE_SYNC] = "w", [POINT_IDLE] = "nop"};

static void print_point (const efsm *m, const ir_program *program, uint32_t number, FILE *out) {
  const efsm_point *p = &m->points.data[number];
  fprintf (out, "%u: thread %u %s%s%s%s%s", number, p->thread, kind_name[p->kind], p->shared ? " shared" : "",
           p->writes ? " writes" : "", p->opens ? " opens" : "", p->closes ? " closes" : "");
  if (p->acquires) fprintf (out, " acquires %llx", (unsigned long long) p->acquires);
  if (p->releases) fprintf (out, " releases %llx", (unsigned long long) p->releases);
  fputs (" ->", out);
  for (uint32_t k = 0; k < p->exits.count; k++) fprintf (out, " %u", p->exits.data[k].to);
  fputc ('\n', out);
  for (uint32_t k = 0; program && k < p->steps.count; k++) {
    strbuf text = {0};
    ir_print_edge (program, p->steps.data[k].edge, &text);
    fprintf (out, "      %s\n", strbuf_text (&text));
    strbuf_release (&text);
  }
}

static void print_variables (const efsm *m, FILE *out) {
  for (uint32_t v = 0; v < m->variables.count; v++)
    if (m->variables.data[v].owner == IR_NONE)
      fprintf (out, "shared variable %u: %s, %u bits\n", v, m->variables.data[v].name ? m->variables.data[v].name : "",
               term_bits (&m->terms, m->variables.data[v].now));
}

void efsm_print (const efsm *m, const ir_program *program, FILE *out) {
  print_variables (m, out);
  for (uint32_t k = 0; k < m->points.count; k++) print_point (m, program, k, out);
}
