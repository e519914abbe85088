/* plugin.c: GStreamer and the plugin gscap. */
#include "gscap-private.h"

static const char *const needed =
    "install the Debian package gstreamer1.0-gscap, or set GST_PLUGIN_PATH to the folder of libgstgscap.so";

GscapStatus gscap_load(void) {
    GError *error = NULL;
    if (!gst_is_initialized() && !gst_init_check(NULL, NULL, &error)) {
        gscap_fail(
            GSCAP_ERROR_PLUGIN, "GStreamer cannot be initialised: %s", error ? error->message : "no reason is given");
        g_clear_error(&error);
        return GSCAP_ERROR_PLUGIN;
    }
    GstElementFactory *factory = gst_element_factory_find(GSCAP_ELEMENT);
    if (factory) {
        gst_object_unref(factory);
        return GSCAP_OK;
    }
    GstPlugin *plugin = gst_registry_find_plugin(gst_registry_get(), "gscap");
    if (!plugin) return gscap_fail(GSCAP_ERROR_PLUGIN, "the GStreamer plugin gscap is not installed: %s", needed);
    gscap_fail(
        GSCAP_ERROR_PLUGIN, "version %s of the GStreamer plugin gscap has no element %s: %s, in version %s or later",
        gst_plugin_get_version(plugin), GSCAP_ELEMENT, needed, GSCAP_VERSION);
    gst_object_unref(plugin);
    return GSCAP_ERROR_PLUGIN;
}

GstElement *gscap_make_bin(void) {
    GstElement *bin = gst_element_factory_make(GSCAP_ELEMENT, NULL);
    if (!bin)
        gscap_fail(
            GSCAP_ERROR_PLUGIN, "the GStreamer plugin gscap cannot be loaded: gst-inspect-1.0 gscap shows the reason");
    return bin;
}
