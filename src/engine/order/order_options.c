// The options of engine `order`.
#include "engine/order/order_options.h"

#define ROW(...) OPTION_ROW (order_options, __VA_ARGS__)
static const option_row order_rows[] = {ORDER_OPTIONS (ROW)};
static const order_options order_initial = {ORDER_OPTIONS (OPTION_INITIAL)};
const option_table order_option_table = OPTION_TABLE (order_rows, order_initial);

const order_options *order_options_of (const task *t) { return task_options (t, &engine_order); }
