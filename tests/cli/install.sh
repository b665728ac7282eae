# An installed lockstep works by itself: it finds its header, and needs nothing from the source tree.
. "$(dirname "$0")/lib.sh"

build=${LOCKSTEP_BUILD:-$ROOT/build}
try 0 meson install -C "$build" --no-rebuild --destdir "$work/destination"
installed=$(find "$work/destination" -path '*/bin/lockstep')
header=$(find "$work/destination" -name lockstep.h)
is_true 'one program' test -x "$installed"
is_true 'one header' test -r "$header"
for file in man/man1/lockstep.1 bash-completion/completions/lockstep zsh/site-functions/_lockstep \
  fish/vendor_completions.d/lockstep.fish; do
  is_true "$file" test -s "$(find "$work/destination" -path "*/share/$file")"
done
cat >harness.c <<END
#include <lockstep.h>
int main (void) {
  int x = lockstep_nondet_int ();
  lockstep_assume (x > 3 && x < 6);
  lockstep_assert (x == 4 || x == LAST);
  return 0;
}
END
try 0 "$installed" check -DLAST=5 harness.c
try 10 "$installed" check -DLAST=6 harness.c
