// The parts of the HTML report.  tools/embed-page makes the page around them, with style and script, from
// src/report/html/.  The page has three gaps, which the writer fills: the title, the report as plain tables, and the
// data for the script.
#ifndef LOCKSTEP_HTML_IMPL_H
#define LOCKSTEP_HTML_IMPL_H

#include "report/report_impl.h"

// ---- made by tools/embed-page ----
extern const char html_before_title[], html_before_report[], html_before_data[], html_after_data[];

// ---- html_plain.c ----
void html_text (FILE *, const char *text);         // escaped for elements and attributes in double quotes
void html_title (const report_input *, FILE *);
// Readable without a script: summary, goals, traces, locks.
void html_plain (const report_input *, FILE *);

// ---- html_data.c ----
// One JSON object, {"report": ..., "sources": [...]}, in which nothing can end the script element around it.
bool html_data (const report_input *, FILE *);

#endif
