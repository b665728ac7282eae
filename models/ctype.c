// ctype.h in the C locale: the functions, and the tables behind glibc's macros.
#include "intrinsics.h"

// ---- classes: glibc's bits on a little-endian machine ----------------------------------------------
enum {
  UPPER = 1 << 8,
  LOWER = 1 << 9,
  ALPHA = 1 << 10,
  DIGIT = 1 << 11,
  XDIGIT = 1 << 12,
  SPACE = 1 << 13,
  PRINT = 1 << 14,
  GRAPH = 1 << 15,
  BLANK = 1,
  CNTRL = 2,
  PUNCT = 4,
  ALNUM = 8
};
#define BIG (UPPER | ALPHA | PRINT | GRAPH | ALNUM)
#define SMALL (LOWER | ALPHA | PRINT | GRAPH | ALNUM)
#define AT(C) [128 + (C)]
#define TO(A, B) [128 + (A)... 128 + (B)]

// Indexed by -128..255; negative ones are empty.
static const unsigned short __lockstep_class[384] = {
    TO (0, 8) = CNTRL,
    AT ('\t') = CNTRL | SPACE | BLANK,
    TO ('\n', '\r') = CNTRL | SPACE,
    TO (14, 31) = CNTRL,
    AT (' ') = SPACE | BLANK | PRINT,
    TO ('!', '/') = PUNCT | PRINT | GRAPH,
    TO ('0', '9') = DIGIT | XDIGIT | PRINT | GRAPH | ALNUM,
    TO (':', '@') = PUNCT | PRINT | GRAPH,
    TO ('A', 'F') = BIG | XDIGIT,
    TO ('G', 'Z') = BIG,
    TO ('[', '`') = PUNCT | PRINT | GRAPH,
    TO ('a', 'f') = SMALL | XDIGIT,
    TO ('g', 'z') = SMALL,
    TO ('{', '~') = PUNCT | PRINT | GRAPH,
    AT (127) = CNTRL,
};
static const unsigned short *const __lockstep_class_base = __lockstep_class + 128;

const unsigned short **__ctype_b_loc (void) { return (const unsigned short **) &__lockstep_class_base; }

static int is_class (int c, int mask) { return c >= -128 && c <= 255 ? __lockstep_class[c + 128] & mask : 0; }

int isalpha (int c) { return is_class (c, ALPHA); }
int isdigit (int c) { return is_class (c, DIGIT); }
int isalnum (int c) { return is_class (c, ALNUM); }
int isspace (int c) { return is_class (c, SPACE); }
int isupper (int c) { return is_class (c, UPPER); }
int islower (int c) { return is_class (c, LOWER); }
int ispunct (int c) { return is_class (c, PUNCT); }
int isprint (int c) { return is_class (c, PRINT); }
int isgraph (int c) { return is_class (c, GRAPH); }
int iscntrl (int c) { return is_class (c, CNTRL); }
int isblank (int c) { return is_class (c, BLANK); }
int isxdigit (int c) { return is_class (c, XDIGIT); }
int isascii (int c) { return (unsigned) c < 128; }
int toascii (int c) { return c & 127; }

// ---- case ------------------------------------------------------------------------------------------
int tolower (int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper (int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

// A character that came as a negative char is returned as unsigned char; EOF stays.
#define ONE(C) AT (C) = (C) < -1 ? (C) + 256 : (C)
#define FOUR(C) ONE (C), ONE ((C) + 1), ONE ((C) + 2), ONE ((C) + 3)
#define SIXTEEN(C) FOUR (C), FOUR ((C) + 4), FOUR ((C) + 8), FOUR ((C) + 12)
#define SIXTYFOUR(C) SIXTEEN (C), SIXTEEN ((C) + 16), SIXTEEN ((C) + 32), SIXTEEN ((C) + 48)
#define EACH SIXTYFOUR (-128), SIXTYFOUR (-64), SIXTYFOUR (0), SIXTYFOUR (64), SIXTYFOUR (128), SIXTYFOUR (192)
#define MOVED(C, D) AT (C) = (C) + (D)
#define LETTERS(A, D)                                                                                               \
  MOVED (A, D), MOVED (A + 1, D), MOVED (A + 2, D), MOVED (A + 3, D), MOVED (A + 4, D), MOVED (A + 5, D),           \
      MOVED (A + 6, D), MOVED (A + 7, D), MOVED (A + 8, D), MOVED (A + 9, D), MOVED (A + 10, D), MOVED (A + 11, D), \
      MOVED (A + 12, D), MOVED (A + 13, D), MOVED (A + 14, D), MOVED (A + 15, D), MOVED (A + 16, D),                \
      MOVED (A + 17, D), MOVED (A + 18, D), MOVED (A + 19, D), MOVED (A + 20, D), MOVED (A + 21, D),                \
      MOVED (A + 22, D), MOVED (A + 23, D), MOVED (A + 24, D), MOVED (A + 25, D)

// The letters come after the identity and replace it: that is what the order of initialisers says.
#pragma clang diagnostic ignored "-Winitializer-overrides"
static const int __lockstep_lower[384] = {EACH, LETTERS ('A', 32)};
static const int __lockstep_upper[384] = {EACH, LETTERS ('a', -32)};
static const int *const __lockstep_lower_base = __lockstep_lower + 128;
static const int *const __lockstep_upper_base = __lockstep_upper + 128;

const int **__ctype_tolower_loc (void) { return (const int **) &__lockstep_lower_base; }
const int **__ctype_toupper_loc (void) { return (const int **) &__lockstep_upper_base; }
