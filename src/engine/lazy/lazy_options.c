// The options of engine `lazy`.
#include "engine/lazy/lazy_options.h"

#define ROW(...) OPTION_ROW (lazy_options, __VA_ARGS__)
static const option_row lazy_rows[] = {LAZY_OPTIONS (ROW)};
static const lazy_options lazy_initial = {LAZY_OPTIONS (OPTION_INITIAL)};
const option_table lazy_option_table = OPTION_TABLE (lazy_rows, lazy_initial);

const lazy_options *lazy_options_of (const task *t) { return task_options (t, &engine_lazy); }
