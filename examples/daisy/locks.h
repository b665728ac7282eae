// Locks are numbered: inode i is i, block b comes after the inodes, file i after the blocks.  They are taken in the
// order file, inode, block (and, with FIX_BITMAP, the bitmap last); they do not nest with themselves.
#ifndef DAISY_LOCKS_H
#define DAISY_LOCKS_H

#include "daisy.h"

enum {
  LOCK_INODE = 0,
  LOCK_BLOCK = LOCK_INODE + DAISY_INODES,
  LOCK_FILE = LOCK_BLOCK + DAISY_BLOCKS,
  LOCK_BITMAP = LOCK_FILE + DAISY_INODES,
  NUM_LOCKS,
};

// Waits until the lock is free, and takes it.
void lock_acquire (int number);

// Gives back a lock that this thread has taken.
void lock_release (int number);

#endif
