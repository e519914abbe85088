#pragma once
#include <gst/gst.h>

// The fundamental GTypes as constants, because Swift does not import the macros that define them.
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

// Flags of GLib, for the reason in Subclassing.h.
static const GKeyFileFlags gscap_key_file_none = G_KEY_FILE_NONE;
static const GFileTest gscap_file_test_is_regular = G_FILE_TEST_IS_REGULAR;
static const GFileTest gscap_file_test_exists = G_FILE_TEST_EXISTS;

/// Returns the GType of a value. Swift does not import the macro G_VALUE_TYPE.
static inline GType gscap_value_type(const GValue *value) {
    return G_VALUE_TYPE(value);
}

/// Returns the GType of an instance. Swift does not import the macro G_TYPE_FROM_INSTANCE.
static inline GType gscap_instance_type(gpointer instance) {
    return G_TYPE_FROM_INSTANCE(instance);
}

/// Returns the GType of a property's values. Swift does not import the macro G_PARAM_SPEC_VALUE_TYPE.
static inline GType gscap_property_type(const GParamSpec *property) {
    return G_PARAM_SPEC_VALUE_TYPE(property);
}

/// Returns whether an instance is of a type or of one derived from it. Swift does not import the macro
/// G_TYPE_CHECK_INSTANCE_TYPE.
static inline gboolean gscap_instance_is_a(gpointer instance, GType type) {
    return G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

/// Returns a copy of a buffer that shares its memory and has its own metadata; null on failure. Written in C because
/// Swift imports neither the macro GST_BUFFER_COPY_METADATA nor combinations of enumeration flags.
static inline GstBuffer *gscap_buffer_copy_with_parent(GstBuffer *buffer) {
    // The parent meta keeps the original buffer alive, so that its memory does not return to a pool while the copy
    // lives.
    GstBufferCopyFlags flags = (GstBufferCopyFlags)(GST_BUFFER_COPY_METADATA | GST_BUFFER_COPY_MEMORY);
    GstBuffer *copy = gst_buffer_copy_region(buffer, flags, 0, -1);
    if (copy != NULL)
        gst_buffer_add_parent_buffer_meta(copy, buffer);
    return copy;
}

/// As above, and calls `release` with the owner when the copy and all its copies are freed: these keep a buffer in
/// between alive, which has the owner. Calls it at once if the copy fails.
static inline GstBuffer *gscap_buffer_copy_with_owner(GstBuffer *buffer, gpointer owner, GDestroyNotify release) {
    GstBuffer *owned = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_MEMORY, 0, -1);
    GstBuffer *copy = gst_buffer_copy_region(buffer,
        (GstBufferCopyFlags)(GST_BUFFER_COPY_METADATA | GST_BUFFER_COPY_MEMORY), 0, -1);
    if (owned == NULL || copy == NULL) {
        gst_clear_buffer(&owned);
        gst_clear_buffer(&copy);
        release(owner);
        return NULL;
    }
    gst_buffer_add_parent_buffer_meta(owned, buffer);
    gst_mini_object_set_qdata(
        GST_MINI_OBJECT_CAST(owned), g_quark_from_static_string("gscap-buffer-owner"), owner, release);
    gst_buffer_add_parent_buffer_meta(copy, owned);
    gst_buffer_unref(owned);
    return copy;
}

/// Emits a signal with a structure parameter and returns its guint64 result. Swift does not import
/// g_signal_emit_by_name, which has variable arguments.
static inline guint64 gscap_emit_structure(gpointer instance, const gchar *signal, GstStructure *argument) {
    guint64 result = 0;
    g_signal_emit_by_name(instance, signal, argument, &result);
    return result;
}

/// Emits a signal with a structure parameter and returns its structure result (transfer full), or NULL.
static inline GstStructure *gscap_emit_structure_query(
    gpointer instance, const gchar *signal, GstStructure *argument) {
    GstStructure *result = NULL;
    g_signal_emit_by_name(instance, signal, argument, &result);
    return result;
}

/// Emits a signal with a guint64 parameter and returns its gboolean result.
static inline gboolean gscap_emit_uint64(gpointer instance, const gchar *signal, guint64 argument) {
    gboolean result = FALSE;
    g_signal_emit_by_name(instance, signal, argument, &result);
    return result;
}
