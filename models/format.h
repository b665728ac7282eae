// What the files behind sprintf share: format.c reads the format and writes integers and text, format_float.c floats.
#ifndef LOCKSTEP_FORMAT_H
#define LOCKSTEP_FORMAT_H

#include "intrinsics.h"

struct sink { char *out; size_t size, length; };  // length counts on beyond size, as snprintf's result does
struct spec { int left, zero, plus, space, alternate, width, precision /* or -1 */, bytes, long_double; };

void __lockstep_put (struct sink *, char);
void __lockstep_pad (struct sink *, char, int count);
void __lockstep_put_double (struct sink *, const struct spec *, double, char conversion);
void __lockstep_put_long_double (struct sink *, const struct spec *, long double, char conversion);

#endif
