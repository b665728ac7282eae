// Steps and faults: each has words, and no two have the same words in files.
#include <ctype.h>
#include <string.h>

#include "base/test.h"
#include "ir/fault.h"
#include "ir/ir.h"
#include "ir/ir_step.h"
#include "ir/sync.h"

static void every_step_has_words (void **state) {
  (void) state;
  for (unsigned s = 0; s < IR_NUM_STEPS; s++) {
    const ir_step_info *step = ir_step_of ((ir_step) s);
    assert_non_null (step->word);
    assert_non_null (step->verb);
    assert_null (strchr (step->verb, '_'));
    for (const char *c = step->word; *c; c++) assert_true (islower ((unsigned char) *c) || *c == '_');
    for (unsigned other = 1; other < s && s != IR_STEP_OTHER; other++)
      assert_string_not_equal (step->word, ir_step_of ((ir_step) other)->word);
    assert_true (!step->takes_shared || step->takes);
  }
}

// What takes a lock in the rules of synchronisation is shown as a step that takes one.
static void steps_agree_with_the_rules (void **state) {
  (void) state;
  for (unsigned op = 0; op < IR_NUM_OPS; op++) {
    const ir_sync *s = ir_sync_of ((ir_op) op);
    if (!ir_family_is_lock (s->family)) continue;
    bool takes = s->action == IR_A_ACQUIRE || s->action == IR_A_TRY || s->action == IR_A_TIMED;
    assert_int_equal (ir_step_of (s->step)->takes, takes);
    assert_int_equal (ir_step_of (s->step)->takes_shared, takes && s->shared);
  }
}

static void every_fault_has_words (void **state) {
  (void) state;
  arena *a = arena_new ();
  for (unsigned f = 0; f < IR_NUM_FAULTS; f++) {
    const char *text = ir_fault_text (a, (ir_fault) f, "mutex");
    assert_non_null (text);
    assert_null (strchr (text, '#'));
  }
  assert_string_equal (ir_fault_text (a, IR_FAULT_DESTROYED, "spin lock"), "use of the destroyed spin lock {}");
  arena_free (a);
}

TEST_MAIN (cmocka_unit_test (every_step_has_words), cmocka_unit_test (steps_agree_with_the_rules),
           cmocka_unit_test (every_fault_has_words))
