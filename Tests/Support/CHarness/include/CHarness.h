#pragma once

// GStreamer's test harness behind plain pointers: Swift sees two C modules' GstBuffer as two types otherwise.

/// A harness around an element's pads "sink" and "src"; either may be missing.
void *gscap_harness_new(void *element, int has_sink, int has_source);
/// Takes the harness down.
void gscap_harness_free(void *harness);
/// Sends caps, with a segment and a stream start, into the element.
void gscap_harness_set_source_caps(void *harness, const char *caps);
/// Accepts only these caps from the element.
void gscap_harness_set_sink_caps(void *harness, const char *caps);
/// Starts the element, which a source needs.
void gscap_harness_play(void *harness);
/// Pushes a buffer, taking the reference; gives the flow return.
int gscap_harness_push(void *harness, void *buffer);
/// The next buffer, with its reference, or null at once.
void *gscap_harness_try_pull(void *harness);
/// The next buffer, waiting up to a minute.
void *gscap_harness_pull(void *harness);
/// Pushes an event, taking the reference.
int gscap_harness_push_event(void *harness, void *event);
/// Pushes an event upstream into the element, taking the reference.
int gscap_harness_push_upstream_event(void *harness, void *event);
/// The next event out of the element, with its reference, or null.
void *gscap_harness_try_pull_event(void *harness);

/// From now on counts what GStreamer says about calls that are wrong; gives what ends it.
unsigned gscap_criticals_listen(void);
/// Ends that, and gives the count of all listeners together: more than none is a fault, whoever heard it.
int gscap_criticals_end(unsigned listener);
