// The result of a back end, and its progress messages.
#include "base/strbuf.h"
#include "prove/prove_impl.h"

const char prove_out_of_budget[] = "the time or the memory is spent";
const char prove_out_of_depth[] = "the limit of the depth is reached";

void prove_result_release (prove_result *r) {
  net_path_release (&r->path);
  vec_release (&r->certificate.clauses);
  vec_release (&r->certificate.blocks);
  if (r->certificate.graph.nodes.count) aig_release (&r->certificate.graph);
  *r = (prove_result){0};
}

void prove_say (const prove_options *o, const char *format, ...) {
  if (!o->say) return;
  strbuf text = {0};
  va_list arguments;
  va_start (arguments, format);
  strbuf_vprintf (&text, format, arguments);
  va_end (arguments);
  o->say (o->say_state, strbuf_text (&text));
  strbuf_release (&text);
}
