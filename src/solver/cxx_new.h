// Makes C++'s allocation end in mem_exhausted when there is no memory left.
#ifndef LOCKSTEP_CXX_NEW_H
#define LOCKSTEP_CXX_NEW_H

// Does nothing. A call of it makes the linker take cxx_new.c and with it the replaced operators.
void cxx_new_replace (void);

#endif
