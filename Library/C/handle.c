/*
 * handle.c: the set of valid handles.
 *
 * A function looks its handle up here before it reads it, so a handle that was released, or a pointer to something
 * else, is an error and not an access to freed memory. A new object may get the address of a released one.
 */
#include "gscap-private.h"

static GMutex lock;
static GHashTable *handles;

void gscap_handle_add(gpointer object, GscapHandleKind kind) {
    GscapHandle *handle = object;
    handle->kind = kind;
    g_mutex_lock(&lock);
    if (!handles) handles = g_hash_table_new(NULL, NULL);
    g_hash_table_add(handles, object);
    g_mutex_unlock(&lock);
}

/* Returns the handle if the pointer is valid; under the lock. */
static GscapHandle *find(gconstpointer object, GscapHandleKind kind) {
    if (!object || !handles || !g_hash_table_contains(handles, object)) return NULL;
    GscapHandle *handle = (GscapHandle *)object;
    return handle->kind == kind ? handle : NULL;
}

gpointer gscap_handle_ref(gconstpointer object, GscapHandleKind kind) {
    g_mutex_lock(&lock);
    GscapHandle *handle = find(object, kind);
    if (handle) g_atomic_int_inc(&handle->references);
    g_mutex_unlock(&lock);
    return handle;
}

gboolean gscap_handle_unref(gconstpointer object, GscapHandleKind kind) {
    g_mutex_lock(&lock);
    GscapHandle *handle = find(object, kind);
    gboolean is_last = handle && g_atomic_int_dec_and_test(&handle->references);
    if (is_last) g_hash_table_remove(handles, object);
    g_mutex_unlock(&lock);
    return is_last;
}

gboolean gscap_handle_retire(gconstpointer object, GscapHandleKind kind) {
    g_mutex_lock(&lock);
    GscapHandle *handle = find(object, kind);
    if (handle) g_hash_table_remove(handles, object);
    g_mutex_unlock(&lock);
    return handle != NULL;
}
