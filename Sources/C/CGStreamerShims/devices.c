#include "Devices.h"

// A device with the factory and the address of its element.
typedef struct {
    GstDevice parent;
    gchar *factory, *address;
} GscapDevice;

static void device_finalize(GObject *object) {
    GscapDevice *device = (GscapDevice *)object;
    g_free(device->factory);
    g_free(device->address);
    ((GObjectClass *)g_type_class_peek(gst_device_get_type()))->finalize(object);
}

static GstElement *create_element(GstDevice *any_device, const gchar *name) {
    GscapDevice *device = (GscapDevice *)any_device;
    GstElement *element = gst_element_factory_make(device->factory, name);
    if (element != NULL)
        g_object_set(element, "device", device->address, NULL);
    return element;
}

static gboolean reconfigure_element(GstDevice *any_device, GstElement *element) {
    g_object_set(element, "device", ((GscapDevice *)any_device)->address, NULL);
    return TRUE;
}

static void initialize_device_class(gpointer any_class, gpointer data) {
    (void)data;
    ((GObjectClass *)any_class)->finalize = device_finalize;
    ((GstDeviceClass *)any_class)->create_element = create_element;
    ((GstDeviceClass *)any_class)->reconfigure_element = reconfigure_element;
}

// Returns a type; another copy of this code in the process may have registered it already.
static GType derived_type(GType parent, const gchar *name, const GTypeInfo *info) {
    GType known = g_type_from_name(name);
    return known != 0 ? known : g_type_register_static(parent, name, info, 0);
}

static GType device_type(void) {
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        GTypeInfo info = { .class_size = sizeof(GstDeviceClass), .class_init = initialize_device_class,
                           .instance_size = sizeof(GscapDevice) };
        g_once_init_leave(&type, derived_type(gst_device_get_type(), "GscapDevice", &info));
    }
    return type;
}

GstDevice *gscap_device_new(const gchar *name, const gchar *classification, GstCaps *caps, GstStructure *properties,
                            const gchar *factory, const gchar *address) {
    GscapDevice *device = g_object_new(device_type(), "display-name", name, "device-class", classification,
                                       "caps", caps, "properties", properties, NULL);
    gst_structure_free(properties);
    device->factory = g_strdup(factory);
    device->address = g_strdup(address);
    return (GstDevice *)device;
}

// A provider with its watch while it is started.
typedef struct {
    GstDeviceProvider parent;
    gpointer watch;
} GscapProvider;

typedef struct {
    const GscapProviderNames *names;
    const GscapProviderCalls *calls;
} Registration;

typedef struct {
    GstDeviceProviderClass parent;
    const GscapProviderCalls *calls;
} GscapProviderClass;

static const GscapProviderCalls *calls_of(GstDeviceProvider *provider) {
    return ((GscapProviderClass *)G_OBJECT_GET_CLASS(provider))->calls;
}

static GList *probe(GstDeviceProvider *provider) {
    return calls_of(provider)->probe();
}

static gboolean start(GstDeviceProvider *provider) {
    ((GscapProvider *)provider)->watch = calls_of(provider)->start(provider);
    return TRUE;
}

static void stop(GstDeviceProvider *provider) {
    gpointer watch = ((GscapProvider *)provider)->watch;
    ((GscapProvider *)provider)->watch = NULL;
    if (watch != NULL)
        calls_of(provider)->stop(watch);
}

static void initialize_provider_class(gpointer any_class, gpointer data) {
    const Registration *registration = data;
    GstDeviceProviderClass *provider = any_class;
    provider->probe = probe;
    provider->start = start;
    provider->stop = stop;
    ((GscapProviderClass *)any_class)->calls = registration->calls;
    gst_device_provider_class_set_static_metadata(provider, registration->names->long_name,
        registration->names->classification, registration->names->description, registration->names->author);
}

gboolean gscap_register_provider(GstPlugin *plugin, const GscapProviderNames *names, const GscapProviderCalls *calls) {
    static Registration registration;
    registration = (Registration){ names, calls };
    GTypeInfo info = { .class_size = sizeof(GscapProviderClass), .class_init = initialize_provider_class,
                       .class_data = &registration, .instance_size = sizeof(GscapProvider) };
    GType type = derived_type(gst_device_provider_get_type(), "GscapDeviceProvider", &info);
    return gst_device_provider_register(plugin, names->factory, GST_RANK_PRIMARY, type);
}
