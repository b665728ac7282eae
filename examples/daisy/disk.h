// The disk: bytes, and one position at which the next byte is read or written.
#ifndef DAISY_DISK_H
#define DAISY_DISK_H

// The byte at an address.
unsigned char disk_read (int address);

// Changes the byte at an address.
void disk_write (int address, unsigned char byte);

#endif
