#pragma once
#include <gst/gst.h>

/// What a device provider calls. `start` returns the state of a watch that is passed to `stop`.
typedef struct {
    GList *(*probe)(void);
    gpointer (*start)(GstDeviceProvider *provider);
    void (*stop)(gpointer watch);
} GscapProviderCalls;

/// The names under which a device provider is registered, and shown by gst-inspect.
typedef struct {
    const gchar *factory, *long_name, *classification, *description, *author;
} GscapProviderNames;

/// Registers a device provider. All parameters live until the process ends. Written in C because GObject's macros
/// define types.
gboolean gscap_register_provider(GstPlugin *plugin, const GscapProviderNames *names, const GscapProviderCalls *calls);

/// Creates a device whose element is made by `factory` and gets `address` as its property "device" (floating). Takes
/// the structure.
GstDevice *gscap_device_new(const gchar *name, const gchar *classification, GstCaps *caps, GstStructure *properties,
                            const gchar *factory, const gchar *address);
