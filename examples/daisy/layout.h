// Where things lie on the disk: the allocation bitmap (a bit per block), then the inodes, then the blocks.
#ifndef DAISY_LAYOUT_H
#define DAISY_LAYOUT_H

#include "daisy.h"

#include <stdbool.h>

enum {
  BITMAP_START = 0,
  INODE_START = BITMAP_START + (DAISY_BLOCKS + 7) / 8,
  INODE_SIZE = 3,
  BLOCK_START = INODE_START + DAISY_INODES * INODE_SIZE,
  DISK_SIZE = BLOCK_START + DAISY_BLOCKS * DAISY_BLOCK_SIZE,
};

typedef struct inode {
  int block;  // that has the contents
  int size;   // in bytes
  bool used;
} inode;

// The caller holds the lock of the inode.
void inode_read (int number, inode *);
void inode_write (int number, const inode *);

// The caller holds the lock of the block.
unsigned char block_read (int block, int offset);
void block_write (int block, int offset, unsigned char byte);

// Finds a free block and marks it as taken.
daisy_error block_alloc (int *block);

// Marks a block as free that was taken.
void block_free (int block);

// What the bitmap says of a block.
bool block_is_taken (int block);

#endif
