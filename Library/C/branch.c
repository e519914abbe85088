/*
 * branch.c: the bin that is attached to a pad of another program's pipeline.
 *
 *     pad ─► sink (ghost pad) ─► queue (leaky) ─► gscapphotobin
 *
 * The gscapphotobin returns no flow errors, and posts no errors while the program's pipeline runs. The errors of a
 * branch that does not start become warnings here as well, and the text of the first is kept.
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
};

G_DEFINE_TYPE(GscapBranch, gscap_branch, GST_TYPE_BIN)

/* Returns the warning that replaces an error, which is released. */
static GstMessage *as_warning(GscapBranch *branch, GstMessage *message) {
    GError *error = NULL;
    char *details = NULL;
    gst_message_parse_error(message, &error, &details);
    char *reason = g_strdup_printf("%s: %s", GST_OBJECT_NAME(GST_MESSAGE_SRC(message)), error->message);
    if (branch->failed) branch->failed(branch->data, reason);
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
    G_OBJECT_CLASS(gscap_branch_parent_class)->finalize(object);
}

static void gscap_branch_class_init(GscapBranchClass *class) {
    GST_BIN_CLASS(class)->handle_message = handle_message;
    G_OBJECT_CLASS(class)->finalize = finalize;
}

static void gscap_branch_init(GscapBranch *branch) { (void)branch; }

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
    gst_element_link(queue, bin);
    GstPad *target = gst_element_get_static_pad(queue, "sink");
    GstPad *sink = gst_ghost_pad_new("sink", target);
    gst_object_unref(target);
    gst_pad_set_active(sink, TRUE);
    gst_element_add_pad(GST_ELEMENT(branch), sink);
    return GST_ELEMENT(branch);
}
