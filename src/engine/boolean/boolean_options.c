// The options of engine `boolean`.
#include "engine/boolean/boolean_options.h"

#define ROW(...) OPTION_ROW (boolean_options, __VA_ARGS__)
static const option_row boolean_rows[] = {BOOLEAN_OPTIONS (ROW)};
static const boolean_options boolean_initial = {BOOLEAN_OPTIONS (OPTION_INITIAL)};
const option_table boolean_option_table = OPTION_TABLE (boolean_rows, boolean_initial);

const boolean_options *boolean_options_of (const task *t) { return task_options (t, &engine_boolean); }
