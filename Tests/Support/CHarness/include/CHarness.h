#pragma once

// GStreamer's test harness (GstHarness) with opaque pointers. A second C module that exposes GstBuffer would give Swift
// a second, incompatible type, so these functions take void pointers.

/// Creates a harness around an element's pads "sink" and "src", as far as it has them.
void *gscap_harness_new(void *element, int has_sink, int has_source);
/// Sets whether the harness answers the element's latency query as a live source; it does not after creation.
void gscap_harness_set_live(void *harness, int is_live);
/// Stops the element and frees the harness.
void gscap_harness_free(void *harness);
/// Sends a stream start, caps and a segment into the element.
void gscap_harness_set_source_caps(void *harness, const char *caps);
/// Sets the caps that the harness accepts from the element.
void gscap_harness_set_sink_caps(void *harness, const char *caps);
/// Sets the element to PLAYING, which source elements require.
void gscap_harness_play(void *harness);
/// Pushes a buffer, taking ownership, and returns the GstFlowReturn.
int gscap_harness_push(void *harness, void *buffer);
/// Returns the element's next output buffer, owned by the caller, or null if there is none yet.
void *gscap_harness_try_pull(void *harness);
/// Returns the element's next output buffer, waiting up to a minute for it; null on timeout.
void *gscap_harness_pull(void *harness);
/// Sends an event downstream into the element, taking ownership; returns whether it was handled.
int gscap_harness_push_event(void *harness, void *event);
/// Sends an event upstream into the element, taking ownership; returns whether it was handled.
int gscap_harness_push_upstream_event(void *harness, void *event);
/// Returns the next event from the element, owned by the caller, or null if there is none.
void *gscap_harness_try_pull_event(void *harness);
/// Returns the next event from the element, owned by the caller, waiting up to a minute for it; null on timeout.
void *gscap_harness_pull_event(void *harness);

/// Adds a GstVideoMeta to a buffer that places the rows of its picture. The picture's format is not stated.
void gscap_buffer_place_rows(void *buffer, unsigned width, unsigned height, unsigned long offset, int stride);

/// The flags DISCONT, CORRUPTED and MARKER of a buffer, as bits 0 to 2.
int gscap_buffer_flags(const void *buffer);
/// Adds the flags DISCONT, CORRUPTED and MARKER and these metadata to a buffer: a reference timestamp of one second of
/// the Unix clock, a region of interest, and a GstVideoMeta of one plane.
void gscap_buffer_describe(void *buffer, unsigned width, unsigned height, const unsigned region[4]);
/// Returns the reference timestamp in nanoseconds of the Unix clock; 0 if there is none.
unsigned long gscap_buffer_reference_timestamp(void *buffer);
/// Stores left, top, width and height of the buffer's region of interest; returns the number of its regions.
int gscap_buffer_region(void *buffer, unsigned region[4]);
/// Whether the buffer has a GstVideoMeta or keeps another buffer alive.
int gscap_buffer_has_memory_metadata(void *buffer);

/// Whether an element's class implements an interface.
int gscap_element_implements(void *element, const char *interface);
/// The rank of an element factory; -1 if there is none of this name.
int gscap_factory_rank(const char *name);
/// Sets the folder in which GStreamer looks for the presets of applications.
void gscap_set_preset_folder(const char *folder);
/// Loads a preset of an element; returns whether it exists.
int gscap_load_preset(void *element, const char *name);
/// Sets tags on an element by its GstTagSetter, in the notation of GStreamer's tag lists.
void gscap_set_tags(void *element, const char *tags);
/// Creates a tag event, owned by the caller, in the same notation.
void *gscap_tag_event_new(const char *tags);

/// Starts counting GStreamer's critical warnings, which report invalid calls; returns the handler's identifier.
unsigned gscap_criticals_start_counting(void);
/// Stops counting for one handler and returns the number of critical warnings since the process started, over all
/// handlers. Tests run in parallel, so any count above 0 is an error somewhere.
int gscap_criticals_stop_counting(unsigned listener);
