// What must be true of the disk whenever no operation is under way.
#ifndef DAISY_CHECK_H
#define DAISY_CHECK_H

// Asserts that each file has a block of its own, that the bitmap knows it, and that no other block is taken.
// No other thread uses the disk meanwhile.
void check_disk (void);

#endif
