// The HTML report: one file that works without a server, other files or the network; format in docs/formats/html.md.
// What is shown stands in it twice, as tables for readers without a script and for paper, and as data for the script.
#include "report/html_impl.h"

bool report_html (const report_input *in, FILE *out) {
  fputs (html_before_title, out);
  html_title (in, out);
  fputs (html_before_report, out);
  html_plain (in, out);
  fputs (html_before_data, out);
  bool good = html_data (in, out);
  fputs (html_after_data, out);
  return fflush (out) == 0 && !ferror (out) && good;
}
