// Prints what executions have reached as one line: "3 of 4 thread functions (not: logger), 12 of 12 assertions, ...".
#include "report/report_impl.h"

static void add_share (coverage_share c, const char *one, const char *many, strbuf *out) {
  if (c.all) strbuf_printf (out, "%s%u of %u %s", out->count ? ", " : "", c.reached, c.all, c.all == 1 ? one : many);
}

bool report_coverage (const verdict *v, strbuf *out) {
  const coverage *r = &v->coverage;
  if (!r->known) return false;
  add_share (r->threads, "thread function", "thread functions", out);
  for (uint32_t k = 0; k < r->missed_threads.count; k++)
    strbuf_printf (out, "%s%s", k ? ", " : " (not: ", r->missed_threads.data[k]);
  if (r->missed_threads.count) strbuf_add_char (out, ')');
  add_share (r->assertions, "assertion", "assertions", out);
  add_share (r->accesses, "access of shared memory", "accesses of shared memory", out);
  add_share (r->locks, "lock operation", "lock operations", out);
  return out->count;
}
