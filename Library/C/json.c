/* json.c: structures as JSON, with the decimal point of the C locale. */
#include "gscap-private.h"

#include <math.h>

/* Structures and arrays deeper than this become null, so that no input exhausts the stack. */
#define DEEPEST 16

static void append_value(GString *json, const GValue *value, int depth);

static void append_text(GString *json, const char *text) {
    char *valid = g_utf8_make_valid(text, -1);
    g_string_append_c(json, '"');
    for (const char *c = valid; *c; c++) {
        if (*c == '"' || *c == '\\') {
            g_string_append_c(json, '\\');
            g_string_append_c(json, *c);
        } else if ((unsigned char)*c < 0x20) {
            g_string_append_printf(json, "\\u%04x", (unsigned)*c);
        } else {
            g_string_append_c(json, *c);
        }
    }
    g_string_append_c(json, '"');
    g_free(valid);
}

static void append_number(GString *json, double number) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    /* JSON has no infinite numbers. */
    g_string_append(json, isfinite(number) ? g_ascii_dtostr(text, sizeof text, number) : "null");
}

typedef struct {
    GString *json;
    int depth;
    gboolean is_first;
} Members;

static gboolean append_member(GQuark field, const GValue *value, gpointer data) {
    Members *members = data;
    if (!members->is_first) g_string_append(members->json, ", ");
    members->is_first = FALSE;
    append_text(members->json, g_quark_to_string(field));
    g_string_append(members->json, ": ");
    append_value(members->json, value, members->depth + 1);
    return TRUE;
}

static void append_structure(GString *json, const GstStructure *structure, int depth) {
    Members members = {json, depth, TRUE};
    g_string_append_c(json, '{');
    gst_structure_foreach(structure, append_member, &members);
    g_string_append_c(json, '}');
}

static void append_array(GString *json, const GValue *array, int depth) {
    g_string_append_c(json, '[');
    guint size = gst_value_array_get_size(array);
    for (guint i = 0; i < size; i++) {
        if (i > 0) g_string_append(json, ", ");
        append_value(json, gst_value_array_get_value(array, i), depth + 1);
    }
    g_string_append_c(json, ']');
}

static void append_value(GString *json, const GValue *value, int depth) {
    if (depth > DEEPEST) {
        g_string_append(json, "null");
    } else if (G_VALUE_HOLDS_STRING(value) && g_value_get_string(value)) {
        append_text(json, g_value_get_string(value));
    } else if (G_VALUE_HOLDS_BOOLEAN(value)) {
        g_string_append(json, g_value_get_boolean(value) ? "true" : "false");
    } else if (G_VALUE_HOLDS_DOUBLE(value)) {
        append_number(json, g_value_get_double(value));
    } else if (G_VALUE_HOLDS_UINT64(value)) {
        g_string_append_printf(json, "%" G_GUINT64_FORMAT, g_value_get_uint64(value));
    } else if (G_VALUE_HOLDS_INT64(value)) {
        g_string_append_printf(json, "%" G_GINT64_FORMAT, g_value_get_int64(value));
    } else if (G_VALUE_HOLDS_INT(value)) {
        g_string_append_printf(json, "%d", g_value_get_int(value));
    } else if (G_VALUE_HOLDS_UINT(value)) {
        g_string_append_printf(json, "%u", g_value_get_uint(value));
    } else if (GST_VALUE_HOLDS_ARRAY(value)) {
        append_array(json, value, depth);
    } else if (GST_VALUE_HOLDS_STRUCTURE(value) && gst_value_get_structure(value)) {
        append_structure(json, gst_value_get_structure(value), depth);
    } else {
        g_string_append(json, "null");
    }
}

char *gscap_json(const GstStructure *structure) {
    GString *json = g_string_new(NULL);
    if (structure) append_structure(json, structure, 0);
    else g_string_append(json, "{}");
    return g_string_free(json, FALSE);
}
