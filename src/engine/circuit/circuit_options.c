// The options of engine `circuit`.
#include "engine/circuit/circuit_options.h"

#define ROW(...) OPTION_ROW (circuit_options, __VA_ARGS__)
static const option_row circuit_rows[] = {CIRCUIT_OPTIONS (ROW)};
static const circuit_options circuit_initial = {CIRCUIT_OPTIONS (OPTION_INITIAL)};
const option_table circuit_option_table = OPTION_TABLE (circuit_rows, circuit_initial);

const circuit_options *circuit_options_of (const task *t) { return task_options (t, &engine_circuit); }
