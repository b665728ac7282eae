// Inodes and blocks as bytes of the disk, and the allocation of blocks.
//
// Bug 1: a bit of the bitmap is tested and changed under the lock of its block, but the disk transfers bytes, and eight
// blocks share one.  Two threads that change different bits of a byte lose one of the changes: a block stays taken for
// ever, or is given out twice.  With FIX_BITMAP the bitmap has a lock.
#include "layout.h"
#include "disk.h"
#include "locks.h"

#include <assert.h>

static int inode_address (int number) { return INODE_START + number * INODE_SIZE; }

void inode_read (int number, inode *it) {
  int address = inode_address (number);
  it->block = disk_read (address);
  it->size = disk_read (address + 1);
  it->used = disk_read (address + 2) != 0;
}

void inode_write (int number, const inode *it) {
  int address = inode_address (number);
  disk_write (address, (unsigned char) it->block);
  disk_write (address + 1, (unsigned char) it->size);
  disk_write (address + 2, it->used);
}

static int block_address (int block, int offset) { return BLOCK_START + block * DAISY_BLOCK_SIZE + offset; }

unsigned char block_read (int block, int offset) { return disk_read (block_address (block, offset)); }

void block_write (int block, int offset, unsigned char byte) { disk_write (block_address (block, offset), byte); }

static int bitmap_address (int block) { return BITMAP_START + block / 8; }

static unsigned char bitmap_bit (int block) { return (unsigned char) (1u << block % 8); }

bool block_is_taken (int block) { return disk_read (bitmap_address (block)) & bitmap_bit (block); }

static void bitmap_flip (int block) {
  int address = bitmap_address (block);
  disk_write (address, disk_read (address) ^ bitmap_bit (block));
}

static void bitmap_lock (int block) {
  lock_acquire (LOCK_BLOCK + block);
#ifdef FIX_BITMAP
  lock_acquire (LOCK_BITMAP);
#endif
}

static void bitmap_unlock (int block) {
#ifdef FIX_BITMAP
  lock_release (LOCK_BITMAP);
#endif
  lock_release (LOCK_BLOCK + block);
}

static bool take_if_free (int block) {
  bitmap_lock (block);
  bool is_free = !block_is_taken (block);
  if (is_free) bitmap_flip (block);
  bitmap_unlock (block);
  return is_free;
}

daisy_error block_alloc (int *block) {
  for (*block = 0; *block < DAISY_BLOCKS; ++*block)
    if (take_if_free (*block)) return DAISY_OK;
  return DAISY_NOSPC;
}

void block_free (int block) {
  bitmap_lock (block);
  assert (block_is_taken (block));
  bitmap_flip (block);
  bitmap_unlock (block);
}
