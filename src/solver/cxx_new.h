// Makes C++'s allocation end in mem_exhausted when there is no memory left.
#ifndef LOCKSTEP_CXX_NEW_H
#define LOCKSTEP_CXX_NEW_H

// Does nothing: who calls it has ours linked.
void cxx_new_replace (void);

#endif
