// Flags that come from a file: a compile_commands.json, a report, a certificate, a circuit.
//
// Flags can make clang load and run a library (-fplugin=, -Xclang -load), read more flags (@file, --config=), run
// programs of other names (-B) and write files (-ftime-trace=).  A file from outside must not choose that.  So a flag
// from a file is passed on only if a list here says that it is about how the source is read: macros, folders of
// headers, the language, the machine, warnings.  A flag that no list names is left out and reported to the user.  Flags
// about outputs, optimisation, debug information and linking are left out silently, because lockstep replaces them
// anyway.
//
// A word that begins with @ is never passed on, not even as the argument of a flag: clang replaces such words by the
// contents of a file before it reads the flags.  An argument that begins with - is refused, because clang could take it
// for a flag.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "front/driver_impl.h"

enum { SHOWN_FLAGS = 12, SHOWN_BYTES = 60 };

// ---- the lists -----------------------------------------------------------------------------------------

// clang-format off

// Harmless by themselves.
static const char *const words_alone[] = {
  "-ansi", "--ansi", "-pedantic", "--pedantic", "-pedantic-errors", "--pedantic-errors", "-w", "--no-warnings",
  "-undef", "-trigraphs", "--trigraphs", "-traditional-cpp", "--traditional-cpp", "-nostdinc", "-nostdlibinc",
  "-nobuiltininc", "-pthread", "-pthreads", "-m16", "-m32", "-m64", "-mx32", NULL};

// Harmless with any text after them in the same word, or in the next word.
static const char *const macros[] = {"-D", "-U", "-I", NULL};
static const char *const folders[] = {
  "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-iprefix", "-iwithprefix",
  "-iwithprefixbefore", "-isystem-after", NULL};
// The same with long names: --include=x.h, or --include x.h.
static const char *const long_names[] = {
  "--define-macro", "--undefine-macro", "--include-directory", "--include", "--imacros", "--sysroot", NULL};

// Harmless with a plain word after them: letters, digits and a few signs, no path.
static const char *const values[] = {
  "-std=", "--std=", "-march=", "-mtune=", "-mcpu=", "-mabi=", "-mcmodel=", "-mfpmath=", "-mfloat-abi=",
  "-mfpu=", "-mstack-alignment=", "-mpreferred-stack-boundary=", "-mstack-protector-guard=", "-mtls-dialect=",
  "-mtls-size=", "-mindirect-branch=", "-mfunction-return=", "-mbranch-protection=", "-mprefer-vector-width=",
  "-mharden-sls=", NULL};

// -fNAME and -fno-NAME, also with = and a plain word.
static const char *const features[] = {
  "PIC", "pic", "PIE", "pie", "plt", "common", "short-enums", "short-wchar", "signed-char", "unsigned-char",
  "signed-bitfields", "unsigned-bitfields", "strict-aliasing", "strict-overflow", "strict-enums",
  "strict-return", "strict-flex-arrays", "trapv", "wrapv", "wrapv-pointer", "builtin", "freestanding",
  "hosted", "gnu89-inline", "inline", "inline-functions", "inline-small-functions", "ms-extensions",
  "plan9-extensions", "asm", "gnu-keywords", "dollars-in-identifiers", "exceptions", "non-call-exceptions",
  "asynchronous-unwind-tables", "unwind-tables", "omit-frame-pointer", "optimize-sibling-calls",
  "function-sections", "data-sections", "stack-protector", "stack-protector-all", "stack-protector-strong",
  "stack-check", "stack-clash-protection", "cf-protection", "merge-all-constants", "merge-constants",
  "delete-null-pointer-checks", "semantic-interposition", "visibility", "tls-model", "math-errno",
  "trapping-math", "fast-math", "finite-math-only", "associative-math", "reciprocal-math", "signed-zeros",
  "rounding-math", "unsafe-math-optimizations", "fp-contract", "fp-model", "excess-precision", "unroll-loops",
  "vectorize", "tree-vectorize", "slp-vectorize", "tree-slp-vectorize", "lto", "jump-tables",
  "zero-initialized-in-bss", "zero-call-used-regs", "trivial-auto-var-init", "diagnostics-color",
  "color-diagnostics", "diagnostics-show-option", "diagnostics-fixit-info", "show-column", "caret-diagnostics",
  "message-length", "error-limit", "max-errors", "macro-backtrace-limit", "bracket-depth", "ident",
  "lax-vector-conversions", "openmp", "openmp-simd", "sanitize", "sanitize-recover", "sanitize-trap",
  "debug-types-section", "standalone-debug", "limit-debug-info", "stack-limit", "verbose-asm",
  "keep-inline-functions", "align-functions", "align-loops", "patchable-function-entry",
  "strict-volatile-bitfields", "allow-store-data-races", NULL};

// -mNAME and -mno-NAME.
static const char *const machine[] = {
  "mmx", "sse", "sse2", "sse3", "ssse3", "sse4", "sse4.1", "sse4.2", "sse4a", "avx", "avx2", "fma", "f16c",
  "aes", "pclmul", "popcnt", "bmi", "bmi2", "lzcnt", "3dnow", "80387", "x87", "movbe", "rdrnd", "rdseed",
  "sha", "xsave", "adx", "fsgsbase", "cx16", "sahf", "crc32", "clflushopt", "red-zone", "soft-float",
  "hard-float", "general-regs-only", "stackrealign", "omit-leaf-frame-pointer", "unaligned-access",
  "retpoline", "retpoline-external-thunk", "lvi-cfi", "skip-rax-setup", "accumulate-outgoing-args",
  "indirect-branch-register", "ms-bitfields", "long-double-64", "long-double-80", "long-double-128", "ieee-fp",
  "align-double", "outline-atomics", "fancy-math-387", NULL};

// About outputs, optimisation, debug information and linking: lockstep chooses these itself.
static const char *const replaced[] = {
  "-c", "-S", "-E", "-emit-llvm", "-fsyntax-only", "--", "-pipe", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG",
  "-MV", "-g", "-g0", "-g1", "-g2", "-g3", "-O", "-s", "-pg", "-shared", "-static", "-rdynamic", "-pie",
  "-no-pie", "-nostdlib", "-nodefaultlibs", "-nostartfiles", NULL};
static const char *const replaced_joined[] = {
  "-o", "-MF", "-MT", "-MQ", "-O", "-ggdb", "-gdwarf", "-gsplit-dwarf", "-gz", "-gno-", "-gcolumn-info", "-l",
  "-L", "-Wp,-MD,", "-Wp,-MMD,", "-ffile-prefix-map=", "-fdebug-prefix-map=", "-fmacro-prefix-map=", NULL};
static const char *const replaced_pairs[] = {"-o", "-MF", "-MT", "-MQ", "-L", "-l", NULL};

// Targets, for --target=: the beginning of the name of a family of processors, then of vendors, systems and kinds of
// binary files.  For a graphics processor clang starts a program that detects the processor (nvptx-arch, amdgpu-arch);
// if it is not installed, clang starts one of that name in its working directory, which a file chooses.  clang does so
// for each processor if the system is amdhsa or cuda.
static const char *const processors[] = {
  "x86_64", "amd64", "i386", "i486", "i586", "i686", "arm", "thumb", "aarch64", "riscv", "powerpc", "ppc",
  "mips", "sparc", "s390", "loongarch", "m68k", NULL};
static const char *const systems[] = {
  "unknown", "none", "pc", "w64", "apple", "ibm", "sun", "suse", "redhat", "alpine", "linux", "gnu", "musl",
  "android", "ohos", "eabi", "elf", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "darwin", "macos",
  "ios", "windows", "win32", "mingw", "cygwin", "msvc", "coff", "macho", "rtems", "aix", "haiku", NULL};

// clang-format on

// ---- words ---------------------------------------------------------------------------------------------

// Returns the rest of the word after the longest name of the list that it begins with; NULL: it begins with none.
static const char *rest_after (const char *const *list, const char *word) {
  const char *best = NULL;
  for (; *list; list++) {
    size_t length = strlen (*list);
    if (!strncmp (word, *list, length) && (!best || word + length > best)) best = word + length;
  }
  return best;
}

static bool is_plain_word (const char *text) {
  for (; *text; text++)
    if (!isalnum ((unsigned char) *text) && !strchr ("._+:,-", *text)) return false;
  return true;
}

// Returns whether the name is on the list, or is a listed name with = and a plain value; a leading no- is ignored.
static bool is_listed (const char *const *list, const char *name) {
  if (!strncmp (name, "no-", 3)) name += 3;
  size_t length = strcspn (name, "=");
  for (; *list; list++)
    if (strlen (*list) == length && !strncmp (*list, name, length))
      return is_plain_word (name + length + (name[length] != 0));
  return false;
}

static bool is_feature_flag (const char *word) {
  const char *name = word + 2;
  if (!strncmp (word, "-fno-builtin-", 13)) return is_plain_word (word + 13);
  return is_listed (features, name);
}

static bool is_machine_flag (const char *word) {
  const char *name = word + (strncmp (word, "-mno-", 5) ? 2 : 5);
  return is_listed (machine, name) || (!strncmp (name, "avx512", 6) && is_plain_word (name));
}

// Accepts -Wname, -Wno-name, -Wname=3; flags for other programs (-Wl,...) have a comma.
static bool is_warning_flag (const char *word) {
  const char *name = word + 2;
  for (; *name; name++)
    if (!isalnum ((unsigned char) *name) && !strchr ("-=+_", *name)) return false;
  return true;
}

// Checks each part: clang takes any known name for the system, at whatever position.
static bool is_harmless_target (const char *text) {
  for (const char *rest = strchr (text, '-'); rest; rest = strchr (rest + 1, '-'))
    if (!rest_after (systems, rest + 1)) return false;
  return rest_after (processors, text) && is_plain_word (text);
}

static bool is_harmless_word (const char *word) {
  const char *value = rest_after (values, word);
  if (text_is_one_of (word, words_alone) || (value && *value && is_plain_word (value))) return true;
  if (!strncmp (word, "--target=", 9)) return is_harmless_target (word + 9);
  if (!strncmp (word, "-f", 2)) return is_feature_flag (word);
  if (!strncmp (word, "-m", 2)) return is_machine_flag (word);
  return !strncmp (word, "-W", 2) && is_warning_flag (word);
}

static bool can_be_argument (const char *word) { return word && *word && *word != '-' && *word != '@'; }

// ---- choice of flags -----------------------------------------------------------------------------------

// Returns the number of words, from `word` on, that form one harmless flag; 0: the flag is not harmless.  `kept` gets
// the words to pass on, at most two.
static unsigned harmless_words (const char *word, const char *next, const char *kept[2]) {
  const char *rest;
  kept[0] = word;
  kept[1] = NULL;
  if ((text_is_one_of (word, macros) || text_is_one_of (word, folders) || text_is_one_of (word, long_names)) &&
      can_be_argument (next)) {
    kept[1] = next;
    return 2;
  }
  // Pass the name and the argument as two words: -include-pch begins with -include but is another flag.
  if ((rest = rest_after (folders, word)) && can_be_argument (rest)) {
    for (unsigned i = 0; folders[i]; i++)
      if (!strncmp (folders[i], word, (size_t) (rest - word)) && !folders[i][rest - word]) kept[0] = folders[i];
    kept[1] = rest;
    return 1;
  }
  if ((rest = rest_after (macros, word)) && *rest) return 1;
  if ((rest = rest_after (long_names, word)) && *rest == '=' && rest[1]) return 1;
  if (!strcmp (word, "-x") && next && !strcmp (next, "c")) {
    kept[1] = next;
    return 2;
  }
  if (!strcmp (word, "-target") && next && is_harmless_target (next)) {
    kept[1] = next;
    return 2;
  }
  return !strcmp (word, "-xc") || is_harmless_word (word);
}

static unsigned replaced_words (const char *word, const char *next) {
  if (text_is_one_of (word, replaced_pairs)) return can_be_argument (next) ? 2 : 1;
  return text_is_one_of (word, replaced) || (rest_after (replaced_joined, word) && strncmp (word, "-load", 5));
}

static void add_left_out (flags_left_out *out, const char *word) {
  bool is_new;
  strmap_insert (&out->seen, word, 0, &is_new);
  if (!is_new || out->count++ >= SHOWN_FLAGS) return;
  if (out->text.count) strbuf_add_char (&out->text, ' ');
  size_t length = strlen (word);
  for (size_t i = 0; i < length && i < SHOWN_BYTES; i++)
    strbuf_add_char (&out->text, isprint ((unsigned char) word[i]) ? word[i] : '?');
  if (length > SHOWN_BYTES) strbuf_add (&out->text, "...");
}

void flags_keep_harmless (word_list *flags, flags_left_out *out) {
  word_list kept = {0};
  for (uint32_t i = 0; i < flags->count;) {
    const char *word = flags->data[i], *next = i + 1 < flags->count ? flags->data[i + 1] : NULL, *words[2];
    unsigned used = replaced_words (word, next);
    if (!used && (used = harmless_words (word, next, words))) {
      vec_push (&kept, words[0]);
      if (words[1]) vec_push (&kept, words[1]);
    } else if (!used) add_left_out (out, word);
    i += used ? used : 1;
  }
  vec_release (flags);
  flags->data = kept.data;
  flags->count = kept.count;
  flags->capacity = kept.capacity;
}

void flags_report_left_out (flags_left_out *out) {
  if (out->count) {
    const char *dots = out->count > SHOWN_FLAGS ? " ..." : "";
    diag_warn (
        "%u flag%s for clang from a file left out, because not known to be harmless (--trust-flags takes all): %s%s",
        out->count, out->count == 1 ? "" : "s", strbuf_text (&out->text), dots);
  }
  strmap_release (&out->seen);
  strbuf_release (&out->text);
  out->count = 0;
}
