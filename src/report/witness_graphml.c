// Writes witnesses in GraphML, format version 1.0: an automaton whose edges are steps of the program.  Ours is a path
// from the entry to the violation.  A step has no edge of its own if it says nothing but the line in which its thread
// was anyway.
#include <string.h>

#include "report/witness_impl.h"

typedef struct witness_graph {
  const witness *witness;
  FILE *out;
  uint32_t nodes;      // number of nodes written; the next edge leads from the last one
  const char **entry;  // by thread: the function in which it started
} witness_graph;

// ---- text ---------------------------------------------------------------------------------------------

static void put_escaped (FILE *out, const char *text) {
  for (const char *c = text; *c; c++) {
    switch (*c) {
    case '<': fputs ("&lt;", out); break;
    case '>': fputs ("&gt;", out); break;
    case '&': fputs ("&amp;", out); break;
    case '"': fputs ("&quot;", out); break;
    // other characters are not allowed in XML
    default: fputc ((unsigned char) *c < ' ' && *c != '\n' && *c != '\t' ? '?' : *c, out);
    }
  }
}

static void put_data (const witness_graph *g, const char *indent, const char *key, const char *text) {
  if (!text) return;
  fprintf (g->out, "%s<data key=\"%s\">", indent, key);
  put_escaped (g->out, utf8_valid (g->witness->arena, text));
  fputs ("</data>\n", g->out);
}

static void put_number (const witness_graph *g, const char *key, uint32_t number) {
  fprintf (g->out, "      <data key=\"%s\">%u</data>\n", key, number);
}

// ---- the head -----------------------------------------------------------------------------------------

static void put_keys (FILE *out) {
  static const struct {
    const char *name, *type, *of;
  } keys[] = {{"witness-type", "string", "graph"},
              {"sourcecodelang", "string", "graph"},
              {"producer", "string", "graph"},
              {"specification", "string", "graph"},
              {"programfile", "string", "graph"},
              {"programhash", "string", "graph"},
              {"architecture", "string", "graph"},
              {"creationtime", "string", "graph"},
              {"entry", "boolean", "node"},
              {"violation", "boolean", "node"},
              {"invariant", "string", "node"},
              {"startline", "int", "edge"},
              {"endline", "int", "edge"},
              {"enterFunction", "string", "edge"},
              {"returnFromFunction", "string", "edge"},
              {"threadId", "string", "edge"},
              {"createThread", "string", "edge"},
              {"assumption", "string", "edge"},
              {"assumption.scope", "string", "edge"},
              {"assumption.resultfunction", "string", "edge"}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    fprintf (out, "  <key id=\"%s\" attr.name=\"%s\" attr.type=\"%s\" for=\"%s\"", keys[i].name, keys[i].name,
             keys[i].type, keys[i].of);
    fputs (!strcmp (keys[i].type, "boolean") ? "><default>false</default></key>\n" : "/>\n", out);
  }
}

static void put_graphml_head (const witness_graph *g) {
  const witness *w = g->witness;
  fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
         g->out);
  put_keys (g->out);
  fputs ("  <graph edgedefault=\"directed\">\n", g->out);
  put_data (g, "    ", "witness-type", w->violated ? "violation_witness" : "correctness_witness");
  put_data (g, "    ", "sourcecodelang", w->in->language);
  put_data (g, "    ", "producer", arena_printf (w->arena, "lockstep %s", w->in->version));
  put_data (g, "    ", "specification", w->specification);
  put_data (g, "    ", "programfile", w->files.count ? w->files.data[0].name : "");
  put_data (g, "    ", "programhash", w->files.count ? w->files.data[0].hash : "");
  put_data (g, "    ", "architecture", w->narrow_long ? "32bit" : "64bit");
  put_data (g, "    ", "creationtime", w->time);
}

// ---- the path -----------------------------------------------------------------------------------------

// `mark`: a key that is true of the node, or NULL; `invariant`: what holds there, or NULL.
static void put_node (witness_graph *g, const char *mark, const char *invariant) {
  fprintf (g->out, "    <node id=\"N%u\">\n", g->nodes++);
  if (mark) put_data (g, "      ", mark, "true");
  put_data (g, "      ", "invariant", invariant);
  fputs ("    </node>\n", g->out);
}

static void begin_edge (witness_graph *g, uint32_t thread) {
  fprintf (g->out, "    <edge source=\"N%u\" target=\"N%u\">\n", g->nodes - 2, g->nodes - 1);
  put_number (g, "threadId", thread);
}

static void end_edge (const witness_graph *g) { fputs ("    </edge>\n", g->out); }

static void put_choice (const witness_graph *g, const waypoint *p) {
  put_data (g, "      ", "assumption", arena_printf (g->witness->arena, "\\result == %s", p->value));
  put_data (g, "      ", "assumption.scope", p->function);
  put_data (g, "      ", "assumption.resultfunction", p->called);
}

// A thread ends when its first function has returned; a thread that ends elsewhere has no further steps.
static void put_graph_edge (witness_graph *g, const waypoint *p) {
  const char **entry = &g->entry[p->thread];
  put_number (g, "startline", p->place.line);
  put_number (g, "endline", p->place.line);
  if (p->kind == WAYPOINT_CREATE) put_number (g, "createThread", p->created);
  if (p->kind == WAYPOINT_CHOICE) put_choice (g, p);
  if (p->kind == WAYPOINT_START) put_data (g, "      ", "enterFunction", *entry = p->function);
  if (p->kind == WAYPOINT_END && *entry && p->function && !strcmp (p->function, *entry))
    put_data (g, "      ", "returnFromFunction", p->function);
}

static bool says_something (const waypoint *p, const waypoint *before) {
  return p->kind != WAYPOINT_STEP || p->thread != before->thread || p->place.line != before->place.line;
}

static const char **room_for_entries (const witness *w) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < w->path.count; i++)
    if (w->path.data[i].thread > last) last = w->path.data[i].thread;
  return arena_zalloc (w->arena, (last + 1) * sizeof (const char *));
}

static void put_path (witness_graph *g) {
  const witness_path *path = &g->witness->path;
  put_node (g, NULL, NULL);
  begin_edge (g, 0);
  put_number (g, "createThread", 0);
  put_data (g, "      ", "enterFunction", g->entry[0] = witness_entry (g->witness->in));
  end_edge (g);
  for (uint32_t i = 0; i < path->count; i++) {
    if (i && !says_something (&path->data[i], &path->data[i - 1])) continue;
    bool last = i + 1 == path->count;
    put_node (g, last ? "violation" : NULL, NULL);
    begin_edge (g, path->data[i].thread);
    put_graph_edge (g, &path->data[i]);
    end_edge (g);
  }
}

bool witness_write_graphml (const witness *w, FILE *out) {
  witness_graph g = {.witness = w, .out = out, .entry = room_for_entries (w)};
  put_graphml_head (&g);
  put_node (&g, "entry", w->violated ? NULL : "1");
  if (w->violated) put_path (&g);
  fputs ("  </graph>\n</graphml>\n", out);
  return !ferror (out);
}
