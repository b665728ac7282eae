// Flags that come from a file: a compile_commands.json, a report, a certificate, a circuit.
//
// clang can be told to load and run a library (-fplugin=, -Xclang -load), to read more flags (@file, --config=), to run programs of other
// names (-B) and to write files (-ftime-trace=).  A file from outside must not choose that, so a flag from a file is handed on only if a
// list here says that it speaks of how the source is read: macros, folders of headers, the language, the machine, warnings.  The list names
// what is harmless; what it does not name is left out and told to the user.  Flags about outputs, optimisation, debug information and
// linking are left out without a word, because lockstep replaces them anyway.
//
// A word that begins with @ is never handed on, not even as the argument of a flag: clang replaces such words by the contents of a file
// before it looks at the flags.  Arguments that begin with - are refused, so that clang cannot take for a flag what was an argument here.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "front/driver_impl.h"

enum { SHOWN_FLAGS = 12, SHOWN_BYTES = 60 };

// ---- the lists -----------------------------------------------------------------------------------------

// clang-format off

// Harmless by themselves.
static const char *const words_alone[] = {
  "-ansi", "--ansi", "-pedantic", "--pedantic", "-pedantic-errors", "--pedantic-errors", "-w", "--no-warnings", "-undef", "-trigraphs",
  "--trigraphs", "-traditional-cpp", "--traditional-cpp", "-nostdinc", "-nostdlibinc", "-nobuiltininc", "-pthread", "-pthreads", "-m16",
  "-m32", "-m64", "-mx32", NULL};

// Harmless with any text behind them in the same word, or in the next word.
static const char *const macros[] = {"-D", "-U", "-I", NULL};
static const char *const folders[] = {
  "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
  "-isystem-after", NULL};
// The same written out: --include=x.h, or --include x.h.
static const char *const long_names[] = {
  "--define-macro", "--undefine-macro", "--include-directory", "--include", "--imacros", "--sysroot", NULL};

// Harmless with a plain word behind them: letters, digits and a few signs, no path.
static const char *const values[] = {
  "-std=", "--std=", "-march=", "-mtune=", "-mcpu=", "-mabi=", "-mcmodel=", "-mfpmath=", "-mfloat-abi=", "-mfpu=",
  "-mstack-alignment=", "-mpreferred-stack-boundary=", "-mstack-protector-guard=", "-mtls-dialect=", "-mtls-size=", "-mindirect-branch=",
  "-mfunction-return=", "-mbranch-protection=", "-mprefer-vector-width=", "-mharden-sls=", NULL};

// -fNAME and -fno-NAME; behind a = a plain word.
static const char *const features[] = {
  "PIC", "pic", "PIE", "pie", "plt", "common", "short-enums", "short-wchar", "signed-char", "unsigned-char", "signed-bitfields",
  "unsigned-bitfields", "strict-aliasing", "strict-overflow", "strict-enums", "strict-return", "strict-flex-arrays", "trapv", "wrapv",
  "wrapv-pointer", "builtin", "freestanding", "hosted", "gnu89-inline", "inline", "inline-functions", "inline-small-functions",
  "ms-extensions", "plan9-extensions", "asm", "gnu-keywords", "dollars-in-identifiers", "exceptions", "non-call-exceptions",
  "asynchronous-unwind-tables", "unwind-tables", "omit-frame-pointer", "optimize-sibling-calls", "function-sections", "data-sections",
  "stack-protector", "stack-protector-all", "stack-protector-strong", "stack-check", "stack-clash-protection", "cf-protection",
  "merge-all-constants", "merge-constants", "delete-null-pointer-checks", "semantic-interposition", "visibility", "tls-model",
  "math-errno", "trapping-math", "fast-math", "finite-math-only", "associative-math", "reciprocal-math", "signed-zeros",
  "rounding-math", "unsafe-math-optimizations", "fp-contract", "fp-model", "excess-precision", "unroll-loops", "vectorize",
  "tree-vectorize", "slp-vectorize", "tree-slp-vectorize", "lto", "jump-tables", "zero-initialized-in-bss", "zero-call-used-regs",
  "trivial-auto-var-init", "diagnostics-color", "color-diagnostics", "diagnostics-show-option", "diagnostics-fixit-info", "show-column",
  "caret-diagnostics", "message-length", "error-limit", "max-errors", "macro-backtrace-limit", "bracket-depth", "ident",
  "lax-vector-conversions", "openmp", "openmp-simd", "sanitize", "sanitize-recover", "sanitize-trap", "debug-types-section",
  "standalone-debug", "limit-debug-info", "stack-limit", "verbose-asm", "keep-inline-functions", "align-functions", "align-loops",
  "patchable-function-entry", "strict-volatile-bitfields", "allow-store-data-races", NULL};

// -mNAME and -mno-NAME.
static const char *const machine[] = {
  "mmx", "sse", "sse2", "sse3", "ssse3", "sse4", "sse4.1", "sse4.2", "sse4a", "avx", "avx2", "fma", "f16c", "aes", "pclmul", "popcnt",
  "bmi", "bmi2", "lzcnt", "3dnow", "80387", "x87", "movbe", "rdrnd", "rdseed", "sha", "xsave", "adx", "fsgsbase", "cx16", "sahf",
  "crc32", "clflushopt", "red-zone", "soft-float", "hard-float", "general-regs-only", "stackrealign", "omit-leaf-frame-pointer",
  "unaligned-access", "retpoline", "retpoline-external-thunk", "lvi-cfi", "skip-rax-setup", "accumulate-outgoing-args",
  "indirect-branch-register", "ms-bitfields", "long-double-64", "long-double-80", "long-double-128", "ieee-fp", "align-double",
  "outline-atomics", "fancy-math-387", NULL};

// About outputs, optimisation, debug information and linking: lockstep decides about them.
static const char *const replaced[] = {
  "-c", "-S", "-E", "-emit-llvm", "-fsyntax-only", "--", "-pipe", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-MV", "-g", "-g0", "-g1", "-g2",
  "-g3", "-O", "-s", "-pg", "-shared", "-static", "-rdynamic", "-pie", "-no-pie", "-nostdlib", "-nodefaultlibs", "-nostartfiles", NULL};
static const char *const replaced_joined[] = {
  "-o", "-MF", "-MT", "-MQ", "-O", "-ggdb", "-gdwarf", "-gsplit-dwarf", "-gz", "-gno-", "-gcolumn-info", "-l", "-L", "-Wp,-MD,", "-Wp,-MMD,",
  "-ffile-prefix-map=", "-fdebug-prefix-map=", "-fmacro-prefix-map=", NULL};
static const char *const replaced_pairs[] = {"-o", "-MF", "-MT", "-MQ", "-L", "-l", NULL};

// Targets, for --target=: a family of processors, then vendors, systems and kinds of binary files, of each the beginning of the name.  For a
// graphics processor clang starts a program that says which one the machine has (nvptx-arch, amdgpu-arch), and if it finds none it starts one
// of that name in its working directory, which a file chooses.  It does so for each processor if the system is one of these: amdhsa, cuda.
static const char *const processors[] = {
  "x86_64", "amd64", "i386", "i486", "i586", "i686", "arm", "thumb", "aarch64", "riscv", "powerpc", "ppc", "mips", "sparc",
  "s390", "loongarch", "m68k", NULL};
static const char *const systems[] = {
  "unknown", "none", "pc", "w64", "apple", "ibm", "sun", "suse", "redhat", "alpine", "linux", "gnu", "musl", "android", "ohos", "eabi", "elf",
  "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "darwin", "macos", "ios", "windows", "win32", "mingw", "cygwin", "msvc", "coff",
  "macho", "rtems", "aix", "haiku", NULL};

// clang-format on

// ---- words ---------------------------------------------------------------------------------------------

static bool is_in (const char *const *list, const char *word) {
  for (; *list; list++)
    if (!strcmp (word, *list)) return true;
  return false;
}

// What follows the longest name of the list that the word begins with; NULL if there is none.
static const char *behind (const char *const *list, const char *word) {
  const char *best = NULL;
  for (; *list; list++) {
    size_t length = strlen (*list);
    if (!strncmp (word, *list, length) && (!best || word + length > best)) best = word + length;
  }
  return best;
}

static bool is_plain (const char *text) {
  for (; *text; text++)
    if (!isalnum ((unsigned char) *text) && !strchr ("._+:,-", *text)) return false;
  return true;
}

// A name of the list, or one of the list and a plain value behind a =.
static bool is_named (const char *const *list, const char *name) {
  if (!strncmp (name, "no-", 3)) name += 3;
  size_t length = strcspn (name, "=");
  for (; *list; list++)
    if (strlen (*list) == length && !strncmp (*list, name, length))
      return is_plain (name + length + (name[length] != 0));
  return false;
}

static bool is_feature (const char *word) {
  const char *name = word + 2;
  if (!strncmp (word, "-fno-builtin-", 13)) return is_plain (word + 13);
  return is_named (features, name);
}

static bool is_machine (const char *word) {
  const char *name = word + (strncmp (word, "-mno-", 5) ? 2 : 5);
  return is_named (machine, name) || (!strncmp (name, "avx512", 6) && is_plain (name));
}

// -Wname, -Wno-name, -Wname=3; what goes to other programs (-Wl,...) has a comma.
static bool is_warning (const char *word) {
  const char *name = word + 2;
  for (; *name; name++)
    if (!isalnum ((unsigned char) *name) && !strchr ("-=+_", *name)) return false;
  return true;
}

// Each part counts: clang takes what it knows for the system, wherever it stands.
static bool is_target (const char *text) {
  for (const char *rest = strchr (text, '-'); rest; rest = strchr (rest + 1, '-'))
    if (!behind (systems, rest + 1)) return false;
  return behind (processors, text) && is_plain (text);
}

static bool is_harmless_word (const char *word) {
  const char *value = behind (values, word);
  if (is_in (words_alone, word) || (value && *value && is_plain (value))) return true;
  if (!strncmp (word, "--target=", 9)) return is_target (word + 9);
  if (!strncmp (word, "-f", 2)) return is_feature (word);
  if (!strncmp (word, "-m", 2)) return is_machine (word);
  return !strncmp (word, "-W", 2) && is_warning (word);
}

// Can it be the argument of a flag?
static bool is_argument (const char *word) { return word && *word && *word != '-' && *word != '@'; }

// ---- what is kept --------------------------------------------------------------------------------------

// The words from `word` on that belong together; 0: it is not harmless.  *kept are those to hand on, at most two.
static unsigned keep (const char *word, const char *next, const char *kept[2]) {
  const char *rest;
  kept[0] = word;
  kept[1] = NULL;
  if ((is_in (macros, word) || is_in (folders, word) || is_in (long_names, word)) && is_argument (next)) {
    kept[1] = next;
    return 2;
  }
  // clang is given the name and the argument apart: -include-pch begins as -include does, but is another flag.
  if ((rest = behind (folders, word)) && is_argument (rest)) {
    for (unsigned i = 0; folders[i]; i++)
      if (!strncmp (folders[i], word, (size_t) (rest - word)) && !folders[i][rest - word]) kept[0] = folders[i];
    kept[1] = rest;
    return 1;
  }
  if ((rest = behind (macros, word)) && *rest) return 1;
  if ((rest = behind (long_names, word)) && *rest == '=' && rest[1]) return 1;
  if (!strcmp (word, "-x") && next && !strcmp (next, "c")) {
    kept[1] = next;
    return 2;
  }
  if (!strcmp (word, "-target") && next && is_target (next)) {
    kept[1] = next;
    return 2;
  }
  return !strcmp (word, "-xc") || is_harmless_word (word);
}

static unsigned replaced_words (const char *word, const char *next) {
  if (is_in (replaced_pairs, word)) return is_argument (next) ? 2 : 1;
  return is_in (replaced, word) || (behind (replaced_joined, word) && strncmp (word, "-load", 5));
}

static void note_left_out (flags_left_out *out, const char *word) {
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
    if (!used && (used = keep (word, next, words))) {
      vec_push (&kept, words[0]);
      if (words[1]) vec_push (&kept, words[1]);
    } else if (!used) note_left_out (out, word);
    i += used ? used : 1;
  }
  vec_release (flags);
  flags->data = kept.data;
  flags->count = kept.count;
  flags->capacity = kept.capacity;
}

void flags_tell_left_out (flags_left_out *out) {
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
