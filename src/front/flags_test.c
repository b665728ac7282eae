// Flags from files: which ones clang gets, and which ones are left out and reported.
#define _GNU_SOURCE
#include "front/driver_impl.h"
#include "front/front_test.h"

static void add_words (arena *a, const char *text, word_list *out) {
  char *copy = arena_strdup (a, text);
  for (char *word = strtok (copy, " "); word; word = strtok (NULL, " ")) vec_push (out, word);
}

// Checks which of `words`, separated by blanks, are kept, and which are reported as left out.
static void check_flags_kept (const char *words, const char *kept, const char *left_out) {
  arena *a = arena_new ();
  word_list flags = {0};
  flags_left_out out = {0};
  strbuf text = {0};
  add_words (a, words, &flags);
  flags_keep_harmless (&flags, &out);
  for (uint32_t i = 0; i < flags.count; i++) strbuf_printf (&text, "%s%s", i ? " " : "", flags.data[i]);
  assert_string_equal (strbuf_text (&text), kept);
  assert_string_equal (strbuf_text (&out.text), left_out);
  strmap_release (&out.seen);
  strbuf_release (&out.text);
  strbuf_release (&text);
  vec_release (&flags);
  arena_free (a);
}

static void keeps_what_is_harmless (void **state) {
  (void) state;
  static const char *const same[] = {
      "-DX -DY=1 -UZ -D NAME -U NAME",
      "-Iinclude -I include -I/a/b",
      "-std=gnu11 -ansi -x c -xc -pedantic -w -trigraphs",
      "-fPIC -fno-strict-aliasing -fvisibility=hidden -fno-builtin-malloc -fwrapv -funsigned-char -ffp-contract=off",
      "-m32 -m64 -march=x86-64-v3 -mno-sse2 -mavx512f -mcmodel=kernel -mno-red-zone",
      "-target x86_64-linux-gnu --target=i386-linux-gnu --target=aarch64 --target=thumbv7-none-eabihf",
      "--target=x86_64-pc-windows-msvc19 --target=arm-apple-macosx14.0 --target=powerpc64le-unknown-linux-musl",
      "-Wall -Wextra -Wno-unused -Werror=format -Wframe-larger-than=200 -W",
      "--include-directory=x --define-macro=X --undefine-macro X --include x.h --sysroot=/s --std=c11",
      "-nostdinc -pthread"};
  for (unsigned i = 0; i < sizeof same / sizeof *same; i++) check_flags_kept (same[i], same[i], "");
}

// The name and the folder are passed as two words, so that -include with pch does not become -include-pch.
static void splits_folders (void **state) {
  (void) state;
  check_flags_kept ("-includex.h -isystem/sys -iquoteq -idirafterd -imacrosm.h -Ii",
                    "-include x.h -isystem /sys -iquote q -idirafter d -imacros m.h -Ii", "");
  check_flags_kept ("-isystem-afterx -iwithprefixbeforex", "-isystem-after x -iwithprefixbefore x", "");
}

static void leaves_out_what_runs_code (void **state) {
  (void) state;
  check_flags_kept ("-fplugin=./e.so -fpass-plugin=./e.so -fplugin-arg-e-x", "",
                    "-fplugin=./e.so -fpass-plugin=./e.so -fplugin-arg-e-x");
  check_flags_kept ("-Xclang -load -Xclang ./e.so -DX", "-DX", "-Xclang -load ./e.so");
  check_flags_kept ("-Xclang -DX -mllvm -load=./e.so", "-DX", "-Xclang -mllvm -load=./e.so");
  check_flags_kept ("-Wp,-load,./e.so -Wl,-plugin,x -Wa,-x -Xpreprocessor -Xassembler -Xlinker", "",
                    "-Wp,-load,./e.so -Wl,-plugin,x -Wa,-x -Xpreprocessor -Xassembler -Xlinker");
  check_flags_kept ("@more --config=e.cfg --config e.cfg -B. -B . -specs=x -fuse-ld=./e", "",
                    "@more --config=e.cfg --config e.cfg -B. -B . -specs=x -fuse-ld=./e");
  check_flags_kept ("-no-integrated-as -fno-integrated-as -no-integrated-cpp -wrapper ./e", "",
                    "-no-integrated-as -fno-integrated-as -no-integrated-cpp -wrapper ./e");
  check_flags_kept (
      "--sysroot=. --target=nvptx64-nvidia-cuda -march=native -target amdgcn-amd-amdhsa --target= --target=native",
      "--sysroot=. -march=native", "--target=nvptx64-nvidia-cuda -target amdgcn-amd-amdhsa --target= --target=native");
  check_flags_kept (
      "--target=x86_64-amd-amdhsa --target=arm-linux-mesa3d --target=i386-cuda --target=x86_64-linux-gnu-nvcl", "",
      "--target=x86_64-amd-amdhsa --target=arm-linux-mesa3d --target=i386-cuda --target=x86_64-linux-gnu-nvcl");
  check_flags_kept ("-cc1 -cc1as --driver-mode=cl -resource-dir . --gcc-toolchain=. -ccc-install-dir .", "",
                    "-cc1 -cc1as --driver-mode=cl -resource-dir . --gcc-toolchain=. -ccc-install-dir");
}

static void leaves_out_what_writes_files (void **state) {
  (void) state;
  check_flags_kept ("-ftime-trace -ftime-trace=x -foptimization-record-file=x -fsave-optimization-record", "",
                    "-ftime-trace -ftime-trace=x -foptimization-record-file=x -fsave-optimization-record");
  check_flags_kept (
      "-fmodules -fmodules-cache-path=x -fcrash-diagnostics-dir=x -save-temps -save-temps=obj -dumpdir x", "",
      "-fmodules -fmodules-cache-path=x -fcrash-diagnostics-dir=x -save-temps -save-temps=obj -dumpdir x");
  check_flags_kept ("--serialize-diagnostics x -MJ x -working-directory=/ -fstack-usage -ftest-coverage --coverage", "",
                    "--serialize-diagnostics x -MJ -working-directory=/ -fstack-usage -ftest-coverage --coverage");
  check_flags_kept ("-H -fproc-stat-report=x -fdiagnostics-add-output=x", "",
                    "-H -fproc-stat-report=x -fdiagnostics-add-output=x");
}

// Flags that lockstep replaces are not reported.
static void replaces_outputs_in_silence (void **state) {
  (void) state;
  check_flags_kept ("-c -o x.o -ox -MD -MF x.d -MTx -O2 -g -ggdb3 -gsplit-dwarf -lm -L/x -Wp,-MD,x.d -pipe -DX", "-DX",
                    "");
  check_flags_kept ("-o", "", "");
  check_flags_kept ("-o -DX", "-DX", "");
}

// An argument is refused if clang could take it for a flag or replace it by a file.
static void leaves_out_odd_arguments (void **state) {
  (void) state;
  check_flags_kept ("-I @e -D @e -include @e -x @e -target @e", "", "-I @e -D -include -x -target");
  check_flags_kept ("-I -fplugin=x -include -Xclang -D -x", "", "-I -fplugin=x -include -Xclang -D -x");
  check_flags_kept ("-include-pch x -includepch", "-include pch", "-include-pch x");
  check_flags_kept ("-x assembler -xir -x c++ -target ../../e --target=../e -std=../x", "",
                    "-x assembler -xir c++ -target ../../e --target=../e -std=../x");
  check_flags_kept ("-I -D -U --define-macro --include= -std= -march=", "",
                    "-I -D -U --define-macro --include= -std= -march=");
  check_flags_kept ("b.c -DX c.o", "-DX", "b.c c.o");
}

static void tells_once (void **state) {
  (void) state;
  arena *a = arena_new ();
  word_list flags = {0};
  flags_left_out out = {0};
  add_words (a, "-Xa -Xa -Xb\n\x1b[31m -X1 -X2 -X3 -X4 -X5 -X6 -X7 -X8 -X9 -X10 -X11", &flags);
  flags_keep_harmless (&flags, &out);
  strbuf said = {0};
  test_capture capture = test_capture_begin ();
  flags_report_left_out (&out);
  test_capture_end (capture, &said);
  assert_string_equal (strbuf_text (&said),
                       "lockstep: warning: 13 flags for clang from a file left out, because not known to be harmless "
                       "(--trust-flags takes all): -Xa -Xb??[31m -X1 -X2 -X3 -X4 -X5 -X6 -X7 -X8 -X9 -X10 ...\n");
  strbuf_release (&said);
  vec_release (&flags);
  arena_free (a);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (keeps_what_is_harmless),
                                     cmocka_unit_test (splits_folders),
                                     cmocka_unit_test (leaves_out_what_runs_code),
                                     cmocka_unit_test (leaves_out_what_writes_files),
                                     cmocka_unit_test (replaces_outputs_in_silence),
                                     cmocka_unit_test (leaves_out_odd_arguments),
                                     cmocka_unit_test (tells_once)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
