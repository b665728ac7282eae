// Writes witnesses in YAML, format version 2.2 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: Software
// Verification Witnesses 2.0, SPIN 2024, and the extension to threads): a violation is a sequence of segments, each to
// be passed before the next.  A thread is known by its number: the k-th `function_enter` at a call that creates a
// thread makes thread k.
#include "report/witness_impl.h"

static void put_quoted (FILE *out, const char *text) {
  fputc ('"', out);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf (out, "\\%c", *c);
    else if (*c == '\n') fputs ("\\n", out);
    else if ((unsigned char) *c < ' ' || *c == 127) fprintf (out, "\\x%02x", (unsigned char) *c);
    else fputc (*c, out);
  }
  fputc ('"', out);
}

static void put_yaml_text (const witness *w, FILE *out, const char *key, const char *text) {
  fprintf (out, "%s: ", key);
  put_quoted (out, utf8_valid (w->arena, text));
  fputc ('\n', out);
}

static void put_input_files (const witness *w, FILE *out) {
  fputs ("      input_files:\n", out);
  for (uint32_t i = 0; i < w->files.count; i++) {
    fputs ("        - ", out);
    put_quoted (out, utf8_valid (w->arena, w->files.data[i].name));
    fputc ('\n', out);
  }
  fputs ("      input_file_hashes:\n", out);
  for (uint32_t i = 0; i < w->files.count; i++) {
    fputs ("        ", out);
    put_quoted (out, utf8_valid (w->arena, w->files.data[i].name));
    fprintf (out, ": \"%s\"\n", w->files.data[i].hash);
  }
}

static void put_metadata (const witness *w, FILE *out) {
  fputs ("  metadata:\n", out);
  put_yaml_text (w, out, "    format_version", "2.2");
  put_yaml_text (w, out, "    uuid", w->uuid);
  put_yaml_text (w, out, "    creation_time", w->time);
  fputs ("    producer:\n", out);
  put_yaml_text (w, out, "      name", "lockstep");
  put_yaml_text (w, out, "      version", w->in->version);
  fputs ("    task:\n", out);
  put_input_files (w, out);
  put_yaml_text (w, out, "      specification", w->specification);
  put_yaml_text (w, out, "      data_model", w->narrow_long ? "ILP32" : "LP64");
  put_yaml_text (w, out, "      language", w->in->language);
}

// ---- the way to a violation ---------------------------------------------------------------------------

static void put_yaml_waypoint (const witness *w, FILE *out, const waypoint *p, const char *type, uint32_t column) {
  fprintf (out, "        - waypoint:\n            type: \"%s\"\n            action: \"follow\"\n", type);
  fprintf (out, "            thread_id: %u\n", p->thread);
  if (p->kind == WAYPOINT_CHOICE || p->kind == WAYPOINT_STEP) {
    fputs ("            constraint:\n", out);
    bool choice = p->kind == WAYPOINT_CHOICE;
    const char *value = choice          ? arena_printf (w->arena, "\\result == %s", p->value)
                        : p->constraint ? p->constraint
                                        : "1";
    put_yaml_text (w, out, "              value", value);
    put_yaml_text (w, out, "              format", choice ? "ext_c_expression" : "c_expression");
  }
  fputs ("            location:\n", out);
  put_yaml_text (w, out, "              file_name", p->place.file->name);
  fprintf (out, "              line: %u\n", p->place.line);
  if (column) fprintf (out, "              column: %u\n", column);
  if (p->function) put_yaml_text (w, out, "              function", p->function);
}

static void put_segment (const witness *w, FILE *out, const waypoint *p) {
  static const char segment[] = "    - segment:\n";
  switch (p->kind) {
  case WAYPOINT_CREATE:
    fputs (segment, out);
    put_yaml_waypoint (w, out, p, "function_enter", witness_call_end (&p->place, NULL));
    return;
  case WAYPOINT_CHOICE:
    fputs (segment, out);
    put_yaml_waypoint (w, out, p, "function_return", witness_call_end (&p->place, p->called));
    return;
  case WAYPOINT_STEP:
    if (!p->statement) return;
    fputs (segment, out);
    put_yaml_waypoint (w, out, p, "assumption", p->statement);
    return;
  default: return;
  }
}

// The threads of a race or a deadlock stand in one segment: nothing orders them.
static void put_targets (const witness *w, FILE *out) {
  fputs ("    - segment:\n", out);
  for (uint32_t i = 0; i < w->path.count; i++)
    if (w->path.data[i].kind == WAYPOINT_TARGET)
      put_yaml_waypoint (w, out, &w->path.data[i], "target", w->path.data[i].statement);
}

bool witness_write_yaml (const witness *w, FILE *out) {
  fprintf (out, "- entry_type: \"%s\"\n", w->violated ? "violation_sequence" : "invariant_set");
  put_metadata (w, out);
  fputs (w->violated ? "  content:\n" : "  content: []\n", out);
  for (uint32_t i = 0; i < w->path.count; i++) put_segment (w, out, &w->path.data[i]);
  if (w->violated) put_targets (w, out);
  return !ferror (out);
}
