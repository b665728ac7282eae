// Daisy, a small file system whose locks leave gaps on purpose: its sizes, and the answers of its operations.
// README.md describes the layers, the bugs that are kept, and the macros that repair them.
#ifndef DAISY_H
#define DAISY_H

// Sizes are tiny, so that all interleavings can be looked at; -D makes them larger.
#ifndef DAISY_INODES
#define DAISY_INODES 4
#endif
#ifndef DAISY_BLOCKS
#define DAISY_BLOCKS 4
#endif
#ifndef DAISY_BLOCK_SIZE
#define DAISY_BLOCK_SIZE 6
#endif
#ifndef DAISY_NAME
#define DAISY_NAME 1  // longest name of a file
#endif
#ifndef DAISY_LOCK_GROWTH
#define DAISY_LOCK_GROWTH 4  // by so many locks the table grows at a time
#endif

// Every number on the disk is one byte.
_Static_assert (DAISY_INODES >= 1 && DAISY_INODES < 255, "an inode number, and one that means none, should fit a byte");
_Static_assert (DAISY_BLOCKS >= 1 && DAISY_BLOCKS < 255, "a block number should fit a byte");
_Static_assert (DAISY_BLOCK_SIZE >= 1 && DAISY_BLOCK_SIZE < 255, "the size of a file should fit a byte");
_Static_assert (DAISY_NAME >= 1 && DAISY_NAME < 255, "the length of a name should fit a byte");
_Static_assert (DAISY_LOCK_GROWTH >= 1, "a table should grow by something");

typedef enum daisy_error {
  DAISY_OK,
  DAISY_NOENT,      // no file of that name
  DAISY_BADHANDLE,  // the inode is not in use
  DAISY_EXIST,      // there is a file of that name already
  DAISY_FBIG,       // more than a block, or a name that is too long
  DAISY_NOSPC,      // no inode, block or directory entry left
} daisy_error;

#endif
