// Compares inodes and bitmap, as a file system check at start-up does.
#include "check.h"
#include "layout.h"

#include <assert.h>

static void check_no_other_has (int block, int number) {
  for (int other = 0; other < number; other++) {
    inode it;
    inode_read (other, &it);
    assert (!it.used || it.block != block);
  }
}

static int count_files (void) {
  int num_files = 0;
  for (int number = 0; number < DAISY_INODES; number++) {
    inode it;
    inode_read (number, &it);
    if (!it.used) continue;
    num_files++;
    assert (it.block < DAISY_BLOCKS);
    assert (block_is_taken (it.block));
    check_no_other_has (it.block, number);
  }
  return num_files;
}

static int count_taken_blocks (void) {
  int num_taken = 0;
  for (int block = 0; block < DAISY_BLOCKS; block++)
    if (block_is_taken (block)) num_taken++;
  return num_taken;
}

void check_disk (void) { assert (count_files () == count_taken_blocks ()); }
