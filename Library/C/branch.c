/*
 * branch.c: the bin that is attached to a pad of another program's pipeline.
 *
 *     pad ─► sink (ghost pad) ─► queue (leaky) ─► gscapphotobin
 *
 * Nothing in the branch stops the program's stream: the sink pad drops frames that the branch does not take and returns
 * GST_FLOW_OK, and errors of the elements become warnings.
 */
#include "gscap-private.h"

#define GSCAP_TYPE_BRANCH (gscap_branch_get_type())
G_DECLARE_FINAL_TYPE(GscapBranch, gscap_branch, GSCAP, BRANCH, GstBin)

struct _GscapBranch {
    GstBin parent;
    /* Set before the branch is in a pipeline, and not changed. */
    GscapBranchFailed failed;
    gpointer data;
    GDestroyNotify destroy;
    /* The sink pad of the gscapphotobin, which knows the formats of raw frames. */
    GstPad *target;
    /* 1 while frames are dropped: the branch has failed or does not take their format. Atomic. */
    gint is_shut;
};

G_DEFINE_TYPE(GscapBranch, gscap_branch, GST_TYPE_BIN)

/* Reports why the branch takes no frames, or NULL when it takes them again. */
static void report(GscapBranch *branch, const char *reason) {
    if (branch->failed) branch->failed(branch->data, reason);
}

/* Returns the warning that replaces an error, which is released. */
static GstMessage *as_warning(GscapBranch *branch, GstMessage *message) {
    GError *error = NULL;
    char *details = NULL;
    gst_message_parse_error(message, &error, &details);
    g_atomic_int_set(&branch->is_shut, 1);
    char *reason = g_strdup_printf("%s: %s", GST_OBJECT_NAME(GST_MESSAGE_SRC(message)), error->message);
    report(branch, reason);
    g_free(reason);
    GstMessage *warning = gst_message_new_warning(GST_MESSAGE_SRC(message), error, details);
    g_error_free(error);
    g_free(details);
    gst_message_unref(message);
    return warning;
}

static void handle_message(GstBin *bin, GstMessage *message) {
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) message = as_warning(GSCAP_BRANCH(bin), message);
    GST_BIN_CLASS(gscap_branch_parent_class)->handle_message(bin, message);
}

static void finalize(GObject *object) {
    GscapBranch *branch = GSCAP_BRANCH(object);
    if (branch->destroy) branch->destroy(branch->data);
    g_clear_object(&branch->target);
    G_OBJECT_CLASS(gscap_branch_parent_class)->finalize(object);
}

static void gscap_branch_class_init(GscapBranchClass *class) {
    GST_BIN_CLASS(class)->handle_message = handle_message;
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void gscap_branch_init(GscapBranch *branch) { (void)branch; }

/* Passes a buffer or list on, and hides the branch's flow errors from the program's stream. */
static GstFlowReturn shield(GscapBranch *branch, GstFlowReturn flow) {
    if (flow == GST_FLOW_NOT_NEGOTIATED || flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_SUPPORTED)
        g_atomic_int_set(&branch->is_shut, 1);
    return GST_FLOW_OK;
}

static GstFlowReturn chain(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
    if (g_atomic_int_get(&GSCAP_BRANCH(parent)->is_shut)) {
        gst_buffer_unref(buffer);
        return GST_FLOW_OK;
    }
    return shield(GSCAP_BRANCH(parent), gst_proxy_pad_chain_default(pad, parent, buffer));
}

static GstFlowReturn chain_list(GstPad *pad, GstObject *parent, GstBufferList *list) {
    if (g_atomic_int_get(&GSCAP_BRANCH(parent)->is_shut)) {
        gst_buffer_list_unref(list);
        return GST_FLOW_OK;
    }
    return shield(GSCAP_BRANCH(parent), gst_proxy_pad_chain_list_default(pad, parent, list));
}

/* Passes an event on. A format that the branch does not take shuts it until one that it takes. */
static gboolean handle_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    GscapBranch *branch = GSCAP_BRANCH(parent);
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) {
        gst_pad_event_default(pad, parent, event);
        return TRUE;
    }
    GstCaps *caps = NULL;
    gst_event_parse_caps(event, &caps);
    gboolean is_taken = gst_pad_query_accept_caps(branch->target, caps);
    gboolean was_shut = g_atomic_int_get(&branch->is_shut);
    g_atomic_int_set(&branch->is_shut, !is_taken);
    if (is_taken) {
        if (was_shut) report(branch, NULL);
        gst_pad_event_default(pad, parent, event);
        return TRUE;
    }
    char *format = gst_caps_to_string(caps);
    char *reason = g_strdup_printf("the photo branch takes raw frames, which %s is not", format);
    report(branch, reason);
    g_free(reason);
    g_free(format);
    gst_event_unref(event);
    return TRUE;
}

/* Accepts every format, since refusing one would end the program's stream: handle_event() shuts the branch instead. */
static gboolean handle_query(GstPad *pad, GstObject *parent, GstQuery *query) {
    if (GST_QUERY_TYPE(query) != GST_QUERY_ACCEPT_CAPS) return gst_pad_query_default(pad, parent, query);
    gst_query_set_accept_caps_result(query, TRUE);
    return TRUE;
}

GstElement *gscap_branch_new(GstElement *bin, GscapBranchFailed failed, gpointer data, GDestroyNotify destroy) {
    GscapBranch *branch = g_object_new(GSCAP_TYPE_BRANCH, NULL);
    branch->failed = failed;
    branch->data = data;
    branch->destroy = destroy;
    GstElement *queue = gst_element_factory_make("queue", NULL);
    if (!queue) {
        gst_object_unref(gst_object_ref_sink(bin));
        gst_object_unref(gst_object_ref_sink(branch));
        gscap_fail(GSCAP_ERROR_PLUGIN, "GStreamer has no element queue: install the package libgstreamer1.0-0");
        return NULL;
    }
    /* The shutter takes frames faster than cameras give them, so four are enough; a full queue drops the oldest. */
    gst_util_set_object_arg(G_OBJECT(queue), "leaky", "downstream");
    g_object_set(queue, "max-size-buffers", 4u, "max-size-bytes", 0u, "max-size-time", G_GUINT64_CONSTANT(0), NULL);
    gst_bin_add_many(GST_BIN(branch), queue, bin, NULL);
    branch->target = gst_element_get_static_pad(bin, "sink");
    gst_element_link(queue, bin);
    GstPad *target = gst_element_get_static_pad(queue, "sink");
    GstPad *sink = gst_ghost_pad_new("sink", target);
    gst_object_unref(target);
    gst_pad_set_chain_function(sink, chain);
    gst_pad_set_chain_list_function(sink, chain_list);
    gst_pad_set_event_function(sink, handle_event);
    gst_pad_set_query_function(sink, handle_query);
    gst_pad_set_active(sink, TRUE);
    gst_element_add_pad(GST_ELEMENT(branch), sink);
    return GST_ELEMENT(branch);
}
