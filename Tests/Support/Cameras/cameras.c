// A GStreamer plugin with a device provider of cameras that do not exist: a webcam without raw frames, which two
// providers find on real systems, and a camera with Bayer frames if the environment variable RAW_CAMERA is set.
#include <gst/gst.h>

typedef struct {
    GstDevice parent;
} Camera;
typedef struct {
    GstDeviceClass parent;
} CameraClass;
G_DEFINE_TYPE(Camera, camera, GST_TYPE_DEVICE)

static GstElement *create_element(GstDevice *device, const gchar *name) {
    (void)device;
    return gst_element_factory_make("fakesrc", name);
}

static void camera_class_init(CameraClass *class) {
    GST_DEVICE_CLASS(class)->create_element = create_element;
}

static void camera_init(Camera *camera) {
    (void)camera;
}

static GstDevice *camera_new(const char *name, const char *formats) {
    GstCaps *caps = gst_caps_from_string(formats);
    GstDevice *device = g_object_new(
        camera_get_type(), "display-name", name, "device-class", "Video/Source", "caps", caps, NULL);
    gst_caps_unref(caps);
    return device;
}

typedef struct {
    GstDeviceProvider parent;
} Provider;
typedef struct {
    GstDeviceProviderClass parent;
} ProviderClass;
G_DEFINE_TYPE(Provider, provider, GST_TYPE_DEVICE_PROVIDER)

static GList *probe(GstDeviceProvider *provider) {
    (void)provider;
    const char *yuv = "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1";
    GList *found = g_list_append(NULL, camera_new("HD Webcam", yuv));
    found = g_list_append(found, camera_new("HD Webcam", yuv));
    if (g_getenv("RAW_CAMERA"))
        found = g_list_append(
            found, camera_new("Test Sensor", "video/x-bayer,format=rggb,width=64,height=48,framerate=30/1"));
    return found;
}

static void provider_class_init(ProviderClass *class) {
    GstDeviceProviderClass *base = GST_DEVICE_PROVIDER_CLASS(class);
    base->probe = probe;
    gst_device_provider_class_set_static_metadata(
        base, "Test cameras", "Source/Video", "Cameras of the tests", "gscap");
}

static void provider_init(Provider *provider) {
    (void)provider;
}

static gboolean plugin_init(GstPlugin *plugin) {
    return gst_device_provider_register(plugin, "testcameras", GST_RANK_PRIMARY, provider_get_type());
}

#define PACKAGE "testcameras"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, testcameras, "Test cameras", plugin_init, "1.0", "LGPL",
    "testcameras", "https://gscap.invalid")
