#pragma once
#include <gst/gst.h>

// GObject's and GStreamer's type numbers are macros, which Swift does not import.
static const GType gscap_type_invalid = G_TYPE_INVALID;
static const GType gscap_type_boolean = G_TYPE_BOOLEAN;
static const GType gscap_type_int = G_TYPE_INT;
static const GType gscap_type_uint = G_TYPE_UINT;
static const GType gscap_type_long = G_TYPE_LONG;
static const GType gscap_type_ulong = G_TYPE_ULONG;
static const GType gscap_type_int64 = G_TYPE_INT64;
static const GType gscap_type_uint64 = G_TYPE_UINT64;
static const GType gscap_type_float = G_TYPE_FLOAT;
static const GType gscap_type_double = G_TYPE_DOUBLE;
static const GType gscap_type_string = G_TYPE_STRING;
static const GType gscap_type_enum = G_TYPE_ENUM;
static const GType gscap_type_flags = G_TYPE_FLAGS;
static const GType gscap_type_object = G_TYPE_OBJECT;

/// The type of a value: a macro over a field.
static inline GType gscap_value_type(const GValue *value) {
    return G_VALUE_TYPE(value);
}

/// The type of an instance: a macro over its class.
static inline GType gscap_instance_type(gpointer instance) {
    return G_TYPE_FROM_INSTANCE(instance);
}

/// The type a property holds: a macro over a field.
static inline GType gscap_property_type(const GParamSpec *property) {
    return G_PARAM_SPEC_VALUE_TYPE(property);
}

/// Whether an instance is of a type or derives from it: a macro with a cast.
static inline gboolean gscap_instance_is_a(gpointer instance, GType type) {
    return G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

/// A copy with metadata of its own that shares the memory and keeps the original alive.
static inline GstBuffer *gscap_buffer_copy_with_parent(GstBuffer *buffer) {
    // gst_buffer_copy_region's flags form an enumeration of macros' sums. The parent meta keeps the original, and so
    // the pool it came from, from seeing its memory back while the copy lives.
    GstBuffer *copy = gst_buffer_copy_region(buffer, (GstBufferCopyFlags)(GST_BUFFER_COPY_METADATA | GST_BUFFER_COPY_MEMORY), 0, -1);
    if (copy != NULL)
        gst_buffer_add_parent_buffer_meta(copy, buffer);
    return copy;
}

/// Emits a signal of one structure that returns a number: g_signal_emit_by_name has variable arguments.
static inline guint64 gscap_emit_structure(gpointer instance, const gchar *signal, GstStructure *argument) {
    guint64 result = 0;
    g_signal_emit_by_name(instance, signal, argument, &result);
    return result;
}
