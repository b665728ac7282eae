// Writes the HTML report: one file that works without a server, other files or the network; format in
// docs/formats/html.md.  The report is in the file twice: as tables, for readers without a script and for paper, and as
// data for the script.
#include <stdlib.h>

#include "report/html_impl.h"

// ---- findings that are only possible ---------------------------------------------------------------------------
// A large program may have hundreds of possible violations with long traces: the page has the traces of the likeliest
// ones, and only the locations of all others.
enum { SHOWN_POSSIBLE = 50 };

static int by_doubt (const void *x, const void *y) {
  const goal *a = *(goal *const *) x, *b = *(goal *const *) y;
  if (a->doubt != b->doubt) return a->doubt < b->doubt ? -1 : 1;
  return (a > b) - (a < b);
}

static void leave_out_traces (verdict *v) {
  VEC (goal *) possible = {0};
  for (uint32_t k = 0; k < v->goals.count; k++)
    if (goal_is_possible (&v->goals.data[k])) vec_push (&possible, &v->goals.data[k]);
  if (possible.count) qsort (possible.data, possible.count, sizeof *possible.data, by_doubt);
  for (uint32_t k = SHOWN_POSSIBLE; k < possible.count; k++) {
    if (possible.data[k]->steps.count) possible.data[k]->no_steps = "left out of this page; the JSON report has it";
    possible.data[k]->steps.count = 0;
  }
  vec_release (&possible);
}

// ---- the page ------------------------------------------------------------------------------------------------------
static bool write_page (const report_input *in, FILE *out) {
  fputs (html_before_title, out);
  html_title (in, out);
  fputs (html_before_report, out);
  html_plain (in, out);
  fputs (html_before_data, out);
  bool good = html_data (in, out);
  fputs (html_after_data, out);
  return fflush (out) == 0 && !ferror (out) && good;
}

bool report_html (const report_input *in, FILE *out) {
  verdict shown = *in->verdict;
  report_input shorter = *in;
  shown.goals = (typeof (shown.goals)){0};
  for (uint32_t k = 0; k < in->verdict->goals.count; k++) vec_push (&shown.goals, in->verdict->goals.data[k]);
  leave_out_traces (&shown);
  shorter.verdict = &shown;
  bool good = write_page (&shorter, out);
  vec_release (&shown.goals);
  return good;
}
