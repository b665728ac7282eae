// A library without a source, as it comes by -isystem (../system_header.c).
int library_count (void);
const char *library_name (void);
void library_visit (void (*visit) (void));
void library_run (void);
struct library_events {
  void (*event) (void);
};
void library_listen (const struct library_events *);
