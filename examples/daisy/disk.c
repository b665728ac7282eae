// The disk is an array.  As on a real disk a transfer happens at the current position: seek first, then read or write.
// Bug 2: these are two steps without a common lock, so another thread may move the position between them, and the byte
// comes from or goes to the wrong place.  With FIX_SEEK a transfer names its own address.
#include "disk.h"
#include "layout.h"

static unsigned char disk[DISK_SIZE];

#ifdef FIX_SEEK

unsigned char disk_read (int address) { return disk[address]; }

void disk_write (int address, unsigned char byte) { disk[address] = byte; }

#else

static int position;

static void seek (int address) { position = address; }

unsigned char disk_read (int address) {
  seek (address);
  return disk[position];
}

void disk_write (int address, unsigned char byte) {
  seek (address);
  disk[position] = byte;
}

#endif
