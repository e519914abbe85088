/* gscap-private.h: what the source files of libgscap share. */
#ifndef GSCAP_PRIVATE_H
#define GSCAP_PRIVATE_H

#include "gscap.h"

/* ---- error.c: the last error of each thread, and the calls of callbacks ---- */

/* Stores an error as this thread's last and returns its status. */
GscapStatus gscap_fail(GscapStatus status, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Stores a refused press with the seconds after which it would be accepted, or -1. */
GscapStatus gscap_fail_refused(double retry_after, const char *reason);
/* Clears this thread's last error; returns GSCAP_OK. */
GscapStatus gscap_succeed(void);
/* Counts the callbacks under way on this thread. */
void gscap_enter_callback(void);
void gscap_leave_callback(void);
gboolean gscap_is_in_callback(void);
/* Returns the error for a function that a callback must not call. */
GscapStatus gscap_fail_in_callback(const char *function);

/* ---- handle.c: the valid handles, so that other pointers are recognised without reading them ---- */

typedef enum { GSCAP_HANDLE_CAMERA = 1, GSCAP_HANDLE_PHOTO, GSCAP_HANDLE_RESULT } GscapHandleKind;

/* The first member of every object that has a handle. */
typedef struct {
    int references;
    GscapHandleKind kind;
} GscapHandle;

/* Makes the object's address a valid handle, which takes one of its references. */
void gscap_handle_add(gpointer object, GscapHandleKind kind);
/* Adds a reference if the pointer is a valid handle of the kind; returns the pointer, otherwise NULL. */
gpointer gscap_handle_ref(gconstpointer object, GscapHandleKind kind);
/* Removes a reference from a valid handle; returns whether it was the last, so that the caller frees the object. */
gboolean gscap_handle_unref(gconstpointer object, GscapHandleKind kind);
/* Makes a handle invalid although references to it exist, if it was valid; returns whether it was. */
gboolean gscap_handle_retire(gconstpointer object, GscapHandleKind kind);

/* ---- photo.c and result.c ---- */

GscapPhoto *gscap_photo_new(guint64 ticket, const GstStructure *message);
GscapResult *gscap_result_new(guint64 ticket);
void gscap_result_add(GscapResult *result, GscapPhoto *photo);
void gscap_result_finish(GscapResult *result, GscapOutcome outcome, const char *reason, double retry_after);
double gscap_result_retry_after(const GscapResult *result);
GscapOutcome gscap_outcome_named(const char *name);

/* ---- json.c ---- */

/* Returns a structure's fields as a JSON object; free it with g_free. */
char *gscap_json(const GstStructure *structure);

/* ---- fields.c: values of structures and properties ---- */

/* Copies a caller's struct over the defaults; returns whether its struct_size is one of this library or an older. */
gboolean gscap_copy_struct(gpointer target, size_t size, gconstpointer source);
/* Reads a number of any type; returns whether there is one. */
gboolean gscap_get_number(const GstStructure *structure, const char *field, double *number);
gboolean gscap_get_count(const GstStructure *structure, const char *field, guint64 *count);
/* Returns a request as a structure, or NULL with the last error set. */
GstStructure *gscap_request_structure(const GscapRequest *request);
/* Sets the properties that the options name; otherwise stores the error. */
GscapStatus gscap_apply_options(GstElement *bin, const GscapOptions *options);
/* Reads a numeric property; returns whether there is one. */
gboolean gscap_get_property(GstElement *element, const char *name, double *number);
/* Returns whether a text is valid UTF-8. */
gboolean gscap_is_text(const char *text);

/* ---- plugin.c ---- */

/* Initialises GStreamer and looks for the plugin. */
GscapStatus gscap_load(void);
/* Returns a new gscapphotobin, with a floating reference, or NULL with the last error set. */
GstElement *gscap_make_bin(void);

/* ---- branch.c ---- */

/* Is called with the text of an error in a branch that does not start. */
typedef void (*GscapBranchFailed)(gpointer data, const char *reason);
/*
 * Returns a bin with a queue and the gscapphotobin, and the sink pad "sink", which turns its elements' errors into
 * warnings. Takes the floating reference of `bin`; the result is floating as well.
 */
GstElement *gscap_branch_new(GstElement *bin, GscapBranchFailed failed, gpointer data, GDestroyNotify destroy);

/* ---- camera.c ---- */

/*
 * The states of a camera:
 *
 *     open ──gscap_close──► closing ──its callbacks have returned──► closed
 *       │                      │
 *       └──the pipeline fails: presses are refused with `failure`, all captures end as failed
 */
struct GscapCamera {
    GscapHandle handle;
    GMutex lock;
    /* Signalled when a capture ends, a callback returns or the camera closes. */
    GCond changed;
    GstElement *bin;
    /* The pipeline of gscap_open, the branch of gscap_attach; otherwise NULL. */
    GstElement *pipeline, *branch;
    /* The pad that the branch is linked to, and the tee that it is released to; otherwise NULL. */
    GstPad *pad;
    GstElement *tee;
    gulong handler;
    /* The captures by ticket (guint64 to GscapPress), and the tickets of the finished ones, oldest first. */
    GHashTable *presses;
    GQueue finished;
    guint kept_results;
    struct GscapListener *listener;
    /* The callbacks under way. */
    guint calls;
    /* Whether gscap_close() was called, and whether it has removed the branch and ended the captures. */
    gboolean is_closing, is_dismantled;
    char *failure;
};

/* A capture: under way until `is_done`. */
typedef struct {
    int references;
    GscapResult *result;
    gboolean is_done;
    /* Whether the press was accepted; a refused one ends, too, but its result is not kept. */
    gboolean is_accepted;
} GscapPress;

GscapCamera *gscap_camera_ref(GscapCamera *camera);
void gscap_camera_unref(gpointer camera);

/* ---- listener.c: the callback of a camera ---- */

typedef struct GscapListener GscapListener;
GscapListener *gscap_listener_new(GscapCallback callback, void *data, void (*destroy)(void *data));
GscapListener *gscap_listener_ref(GscapListener *listener);
void gscap_listener_unref(GscapListener *listener);
void gscap_listener_call(GscapListener *listener, GscapCamera *camera, const GscapEvent *event);

/* ---- events.c ---- */

GscapPress *gscap_press_new(guint64 ticket);
GscapPress *gscap_press_ref(GscapPress *press);
void gscap_press_unref(gpointer press);
/*
 * Keeps the result of an accepted capture that has ended; under the lock. Returns the oldest captures beyond the limit,
 * which the caller releases without the lock.
 */
GSList *gscap_keep_result(GscapCamera *camera, guint64 ticket);
/* Begins to receive the element's messages; returns whether the element has the signal. */
gboolean gscap_listen(GscapCamera *camera);
/* Ends all captures under way, also those in the element. Must not be called under the lock. */
void gscap_end_captures(GscapCamera *camera, const char *outcome, const char *reason);
/* Ends all captures under way as failed, and refuses further presses. */
void gscap_camera_failed(gpointer camera, const char *reason);

#endif
