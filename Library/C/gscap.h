/*
 * gscap.h: RAW still photos from a GStreamer pipeline, in C.
 *
 * libgscap is a small library over the element gscapphotobin of the GStreamer plugin gscap (Debian package
 * gstreamer1.0-gscap). It opens a pipeline text, or attaches a photo branch to a pad of a running pipeline, takes
 * photos, and returns their bytes with a receipt.
 *
 *     GscapCamera *camera = NULL;
 *     GscapPhoto *photo = NULL;
 *     if (gscap_open("gscapsensorsrc is-live=true ! video/x-bayer,width=640,height=480", NULL, &camera) ||
 *         gscap_take_photo(camera, NULL, 10, &photo))
 *         fprintf(stderr, "%s\n", gscap_last_error());
 *     size_t size = 0;
 *     const void *bytes = gscap_photo_get_bytes(photo, &size);
 *     ...
 *     gscap_photo_unref(photo);
 *     gscap_close(camera);
 *
 * Errors. Functions that can fail return a GscapStatus, GSCAP_OK (0) or a negative number, and gscap_last_error() then
 * describes the failure. NULL pointers and handles that are no longer valid give GSCAP_ERROR_ARGUMENT. The library
 * prints nothing, never ends the process on a wrong argument and installs no signal handlers.
 *
 * Threads. All functions are thread-safe: any thread may call them at any time. The library starts no threads. After
 * gscap_close() has returned GSCAP_OK, no callback runs, and the threads of the camera's elements have ended. Callbacks
 * run on the threads of the elements and must return soon; they may call every function except gscap_open(),
 * gscap_attach(), gscap_attach_tee(), gscap_wait(), gscap_take_photo() and gscap_close(), which return
 * GSCAP_ERROR_IN_CALLBACK there.
 *
 * Compatibility. As long as the library is named libgscap.so.0, no function is removed or changes its arguments or the
 * meaning of a result, no constant changes its value, and no field of a struct moves. Functions are added with a new
 * symbol version. Fields are added only at the end of the structs that begin with `struct_size`, which the library
 * compares with its own, so programs compiled for an older header continue to work. Structs are initialised with the
 * macros GSCAP_..._INIT. New error codes, events and outcomes may appear, so programs need a default case.
 */
#ifndef GSCAP_H
#define GSCAP_H

#include <gst/gst.h>
#include <stddef.h>
#include <stdint.h>

#include <gscap-names.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/** The result of a function: GSCAP_OK or an error. */
typedef enum {
    /** The function did what it was called for. */
    GSCAP_OK = 0,
    /** An argument is NULL, not a valid handle, or out of range; or a struct was not initialised. */
    GSCAP_ERROR_ARGUMENT = -1,
    /** GStreamer cannot be initialised, or the plugin gscap is missing or too old. The text names what to install. */
    GSCAP_ERROR_PLUGIN = -2,
    /** The pipeline text has a mistake or no end that a photo branch can be linked to. */
    GSCAP_ERROR_PIPELINE = -3,
    /** The pipeline did not start, or its camera has failed since. */
    GSCAP_ERROR_CAMERA = -4,
    /** The pad is linked already, or its format is not one of raw frames. */
    GSCAP_ERROR_LINK = -5,
    /** The press was refused. gscap_last_retry_after() returns when it would be accepted, if that is known. */
    GSCAP_ERROR_REFUSED = -6,
    /** The time limit of the call has passed. The capture continues. */
    GSCAP_ERROR_TIME = -7,
    /** There is no such capture, or its result was returned or released already. */
    GSCAP_ERROR_TICKET = -8,
    /** The camera is being closed. */
    GSCAP_ERROR_CLOSED = -9,
    /** The function must not be called from a callback. */
    GSCAP_ERROR_IN_CALLBACK = -10,
    /** The capture ended without the photo. */
    GSCAP_ERROR_CAPTURE = -11
} GscapStatus;

/**
 * Returns the text of the last error of a function that this thread called: what is wrong and what to do. Empty if
 * there was none. Valid until the thread calls another function of the library.
 */
const char *gscap_last_error(void);

/** Returns the seconds after which the press that was refused last on this thread would be accepted, or -1. */
double gscap_last_retry_after(void);

/** Returns the name of a status in lower case, such as "refused"; "unknown" for other numbers. Never NULL. */
const char *gscap_status_name(GscapStatus status);

/** Returns the version of the library, such as "1.2.0". Never NULL. */
const char *gscap_version(void);

/* ---- Cameras ----------------------------------------------------------------------------------------------------- */

/** A photo branch in a pipeline. Created by gscap_open() or gscap_attach(), released by gscap_close(). */
typedef struct GscapCamera GscapCamera;

/** How the photos of a camera are made. Initialise it with GSCAP_OPTIONS_INIT. */
typedef struct {
    /** The size of the struct, set by GSCAP_OPTIONS_INIT. */
    size_t struct_size;
    /** The photos of each capture, as in "proraw,jpeg" (property formats). NULL: the element's default, JPEG. */
    const char *formats;
    /** The quality of compressed photos, 0 to 1. Negative: the element's default. */
    double quality;
    /** The frames of a burst. 0: the element's default. */
    int frames;
    /** The mode of the fusion: "speed", "balanced" or "quality". NULL: the element's default. */
    const char *fusion_mode;
    /** The mebibytes of frames that captures may hold. 0: the element's default. */
    unsigned max_queued;
    /** The seconds from a press to the end of its capture. 0: the limits of the element. */
    double deadline;
    /** Folder and beginning of the names of files that photos are stored in. NULL: they are only returned as bytes. */
    const char *location;
    /** The seconds that gscap_open() waits for the camera to start. */
    double start_limit;
    /**
     * The finished captures whose results are kept until gscap_wait() returns them; the oldest are released first. A
     * program that only uses a callback sets 0, so that no photos are kept.
     */
    unsigned kept_results;
} GscapOptions;

/** Initialises a GscapOptions with the defaults. */
#define GSCAP_OPTIONS_INIT {sizeof(GscapOptions), NULL, -1.0, 0, NULL, 0, 0.0, NULL, 10.0, 16}

/**
 * Starts a pipeline from a text in the syntax of gst-launch-1.0, and waits until it plays. If the text does not contain
 * gscapphotobin, " ! gscapphotobin" is appended, so it then ends with what gives the raw frames: an element, caps, or a
 * reference as in "tee." to one. `options` may be NULL. On success, *camera is the new camera; otherwise NULL.
 */
GscapStatus gscap_open(const char *pipeline, const GscapOptions *options, GscapCamera **camera);

/**
 * Adds a photo branch to the pipeline of a source pad that is not linked, such as a request pad of a tee. The pipeline
 * may be in any state, and the branch plays before it is linked. The pipeline's bus is not read, an error of the branch
 * becomes a warning on it, and the branch never returns a flow error to the pad. gscap_close() removes the branch.
 */
GscapStatus gscap_attach(GstPad *pad, const GscapOptions *options, GscapCamera **camera);

/**
 * As gscap_attach(), with a new request pad of a tee, which gscap_close() releases. A tee whose only branch this is
 * needs allow-not-linked=true.
 */
GscapStatus gscap_attach_tee(GstElement *tee, const GscapOptions *options, GscapCamera **camera);

/**
 * Uses an element gscapphotobin that the program has put into a pipeline. gscap_close() ends the captures that were
 * requested through this camera, and leaves the element where it is.
 */
GscapStatus gscap_use_element(GstElement *photobin, const GscapOptions *options, GscapCamera **camera);

/** Returns a new reference to the camera's gscapphotobin, whose properties may be set; NULL on an error. */
GstElement *gscap_get_element(GscapCamera *camera);

/**
 * Returns a new reference to the pipeline that gscap_open() started; NULL for other cameras and on an error. Its bus
 * belongs to the library.
 */
GstElement *gscap_get_pipeline(GscapCamera *camera);

/**
 * Ends all captures as cancelled, removes the branch or stops the pipeline, and releases the camera, whose handle is
 * invalid afterwards. Photos and results remain valid. Callbacks on other threads are waited for at most ten seconds:
 * with GSCAP_ERROR_TIME the camera accepts no more presses, and gscap_close() must be called again.
 */
GscapStatus gscap_close(GscapCamera *camera);

/* ---- Photos ------------------------------------------------------------------------------------------------------ */

/** A photo of a capture, or the failure to make it. Immutable; released by gscap_photo_unref(). */
typedef struct GscapPhoto GscapPhoto;

/** How a photo came about. Initialise it with GSCAP_RECEIPT_INIT. */
typedef struct {
    /** The size of the struct, set by GSCAP_RECEIPT_INIT. */
    size_t struct_size;
    /** The ticket of the capture, or the receipt-id of its request. */
    uint64_t capture_id;
    /** The number of the reference frame since the start of the sensor. */
    uint64_t frame_number;
    /** The middle of the reference frame's exposure as running time in nanoseconds; GST_CLOCK_TIME_NONE if unknown. */
    uint64_t sensor_running_time;
    /** Seconds from the press to the middle of the exposure, negative for a frame from before it; NAN if unknown. */
    double lag;
    /** Seconds from the middle of the exposure to the delivery of the photo; NAN if unknown. */
    double age;
    /** The number of frames in the photo; 0 if unknown. */
    int frames_used;
    /** 1 if the camera's automatic functions had settled or requested values were reached, 0 if not, -1 if unknown. */
    int settled;
    /** 1 if the reference was chosen for its sharpness, 0 if for its time, -1 if unknown. */
    int sharpness_chosen;
    /** The middle of the exposure in UTC as ISO 8601, such as "2026-11-22T15:04:05.123Z"; empty if unknown. */
    char sensor_time[40];
    /** Seconds to the middle of the exposure from the first after another one was asked for; NAN if none was. */
    double exposure_lag;
    /** The place in time, from 0, of a frame that is stored beside others of its burst; -1 for any other photo. */
    int burst_index;
    /** The number of frames of that burst; 0 for any other photo. */
    int burst_count;
    /** 1 if that frame is the reference of its burst, 0 if not, -1 for any other photo. */
    int burst_reference;
} GscapReceipt;

/** Initialises a GscapReceipt. */
#define GSCAP_RECEIPT_INIT {sizeof(GscapReceipt), 0, 0, 0, 0.0, 0.0, 0, -1, -1, {0}, 0.0, -1, 0, -1}

/** Returns the same photo with one more reference; NULL if it is not a photo. */
GscapPhoto *gscap_photo_ref(GscapPhoto *photo);

/** Releases a reference to a photo. Ignores NULL and handles that are no longer valid. */
void gscap_photo_unref(GscapPhoto *photo);

/**
 * Returns the bytes of the photo's file, or of the pixels, and stores their number in *size, which may be NULL. NULL if
 * there are none. Valid as long as the photo.
 */
const void *gscap_photo_get_bytes(GscapPhoto *photo, size_t *size);

/** Returns the name of the photo's branch, such as "jpeg"; NULL on an error. Valid as long as the photo. */
const char *gscap_photo_get_format(GscapPhoto *photo);

/** Returns the media type, such as "image/jpeg"; NULL if there are no bytes. Valid as long as the photo. */
const char *gscap_photo_get_media_type(GscapPhoto *photo);

/** Returns the index of the photo's exposure in a bracket, from 0; 0 outside a bracket and on an error. */
int gscap_photo_get_exposure(GscapPhoto *photo);

/** Returns the path of the stored file; NULL if the photo is not stored. Valid as long as the photo. */
const char *gscap_photo_get_path(GscapPhoto *photo);

/** Returns why there is no photo; NULL if there is one. Valid as long as the photo. */
const char *gscap_photo_get_error(GscapPhoto *photo);

/** Returns the ticket of the photo's capture; 0 on an error. */
uint64_t gscap_photo_get_ticket(GscapPhoto *photo);

/** Fills *receipt, which was initialised with GSCAP_RECEIPT_INIT. */
GscapStatus gscap_photo_get_receipt(GscapPhoto *photo, GscapReceipt *receipt);

/** Returns the receipt as a JSON object with the names GSCAP_RECEIPT_...; NULL on an error. Valid as the photo. */
const char *gscap_photo_get_receipt_json(GscapPhoto *photo);

/** Returns a new reference to the sample with the bytes, caps and metadata (GscapFrame); NULL if there is none. */
GstSample *gscap_photo_get_sample(GscapPhoto *photo);

/* ---- Results ----------------------------------------------------------------------------------------------------- */

/** How a capture ended. */
typedef enum {
    /** All photos were made. */
    GSCAP_SUCCEEDED = 0,
    /** Some photos were made; others failed. */
    GSCAP_PARTIAL = 1,
    /** No photo was made. */
    GSCAP_FAILED = 2,
    /** The capture was cancelled, or its camera closed. */
    GSCAP_CANCELLED = 3
} GscapOutcome;

/** The result of a finished capture. Immutable; released by gscap_result_unref(). */
typedef struct GscapResult GscapResult;

/** Returns the same result with one more reference; NULL if it is not a result. */
GscapResult *gscap_result_ref(GscapResult *result);

/** Releases a reference to a result. Ignores NULL and handles that are no longer valid. */
void gscap_result_unref(GscapResult *result);

/** Returns the ticket of the capture; 0 on an error. */
uint64_t gscap_result_get_ticket(GscapResult *result);

/** Returns how the capture ended; GSCAP_FAILED on an error. */
GscapOutcome gscap_result_get_outcome(GscapResult *result);

/** Returns why the capture did not succeed, or an empty text; NULL on an error. Valid as long as the result. */
const char *gscap_result_get_reason(GscapResult *result);

/** Returns the number of photos, failed ones included; 0 on an error. */
size_t gscap_result_get_photo_count(GscapResult *result);

/** Returns a photo by its index; NULL beyond the last. Valid as long as the result; gscap_photo_ref() keeps it. */
GscapPhoto *gscap_result_get_photo(GscapResult *result, size_t index);

/* ---- Captures ---------------------------------------------------------------------------------------------------- */

/** The time of a request that means the time of the call. */
#define GSCAP_NOW UINT64_MAX

/* names: this part is generated by Tools/generate/names. */
/** What a press asks for. Initialise it with GSCAP_REQUEST_INIT, which leaves everything to the camera. */
typedef struct {
    /** The size of the struct, set by GSCAP_REQUEST_INIT. */
    size_t struct_size;
    /**
     * The number of frames in the burst, or for each exposure of a bracket: from 1 to 64. 0: that of the effort or of
     * the pipeline.
     */
    int frames;
    /** The mode of the fusion: speed, balanced, quality. NULL: that of the element. */
    const char *fusion_mode;
    /** Those of the element's formats that the capture has, separated by commas. NULL: all. */
    const char *formats;
    /** Whether each frame of the burst is stored, rather than the reference alone: 1 for yes. 0: no. */
    int every_frame;
    /** The running time of the press, in nanoseconds. GSCAP_NOW: now. */
    uint64_t time;
    /**
     * The greatest time between the press and the middle of the reference frame's exposure, in seconds. Negative: two
     * frame periods and the camera's delay.
     */
    double tolerance;
    /** Whether the capture may contain frames from before the press: 1 for yes, 0 for no. Negative: the pipeline's. */
    int zero_shutter_lag;
    /** The exposure time, in seconds. 0: the camera's. */
    double exposure_time;
    /** The gain as an ISO number. 0: the camera's. */
    double iso;
    /** The exposure relative to that of the camera, in EV. 0: none. */
    double exposure_bias;
    /** The use of the flash: off, on, auto. NULL: off. */
    const char *flash;
    /** Exposures in EV that are taken one after another, `bracket_count` numbers. NULL: no bracket. */
    const double *bracket;
    /** The number of exposures in `bracket`. */
    size_t bracket_count;
    /** Whether the exposures of the bracket are also merged into one photo: 1 for yes. 0: no. */
    int fuse_bracket;
    /** The correlated colour temperature of the light, in kelvins. 0: the camera's. */
    double white_temperature;
    /** The tint of the light, magenta when positive. 0: none. */
    double white_tint;
    /** The photographer, stored in the files. NULL: the camera's. */
    const char *artist;
    /** The title, stored in the files. NULL: the camera's. */
    const char *title;
    /** The copyright, stored in the files. NULL: the camera's. */
    const char *copyright;
    /** The Exif orientation: from 1 to 8. 0: the camera's. */
    int orientation;
    /** 1 if `latitude` and `longitude` are set; 2 if `altitude` is as well. */
    int location;
    /** Degrees north. */
    double latitude;
    /** Degrees east. */
    double longitude;
    /** Metres above sea level. */
    double altitude;
    /** More fields, such as GSCAP_REQUEST_SETTINGS, which replace those above; NULL for none. Not changed. */
    const GstStructure *fields;
    /**
     * Whether a capture of one frame takes the nearest to the press in place of the newest before it: 1 for yes. 0:
     * no.
     */
    int nearest;
    /** The zoom factor by which the photos are cropped around their centre. 0: 1. */
    double crop_factor;
    /**
     * The priority of the photo, of which background leaves the processors to everything else: normal, background.
     * NULL: normal, or the element's.
     */
    const char *priority;
    /** The keywords, stored in the files, separated by commas. NULL: the camera's. */
    const char *keywords;
} GscapRequest;

/** Initialises a GscapRequest with the camera's settings. */
#define GSCAP_REQUEST_INIT                                                                                             \
    {sizeof(GscapRequest), 0, NULL, NULL, 0, GSCAP_NOW, -1.0, -1, 0.0, 0.0, 0.0, NULL, NULL, 0, 0, 0.0, 0.0, NULL,     \
    NULL, NULL, 0, 0, 0.0, 0.0, 0.0, NULL, 0, 0.0, NULL, NULL}
/* names: end */

/**
 * Presses the shutter and stores the ticket of the capture in *ticket. Returns at once; gscap_wait() or the callback
 * has the photos. `request` may be NULL. A press that is refused gives GSCAP_ERROR_REFUSED with the reason.
 */
GscapStatus gscap_capture(GscapCamera *camera, const GscapRequest *request, uint64_t *ticket);

/** As gscap_capture(), with the request as a structure with fields GSCAP_REQUEST_..., which is not changed. */
GscapStatus gscap_capture_structure(GscapCamera *camera, const GstStructure *request, uint64_t *ticket);

/** As gscap_capture(), with the request as the text of a structure, as in "capture, frames=(int)4". */
GscapStatus gscap_capture_text(GscapCamera *camera, const char *request, uint64_t *ticket);

/**
 * Waits at most `seconds` for the end of a capture and returns its result, which the caller releases with
 * gscap_result_unref(). A result is returned once, also to several threads that wait for it at the same time.
 */
GscapStatus gscap_wait(GscapCamera *camera, uint64_t ticket, double seconds, GscapResult **result);

/**
 * Presses the shutter, waits at most `seconds`, and returns the first photo that was made, which the caller releases
 * with gscap_photo_unref(). If the time has passed, the capture is cancelled.
 */
GscapStatus gscap_take_photo(GscapCamera *camera, const GscapRequest *request, double seconds, GscapPhoto **photo);

/** Ends a capture as cancelled. GSCAP_ERROR_TICKET if it is not under way. */
GscapStatus gscap_cancel(GscapCamera *camera, uint64_t ticket);

/* ---- Callbacks --------------------------------------------------------------------------------------------------- */

/** A message of a capture. Pointers in it are valid during the callback; gscap_photo_ref() keeps a photo longer. */
typedef struct {
    /** The size of the struct in the library, for fields that are added later. */
    size_t struct_size;
    /** The name of the event, one of GSCAP_EVENT_... */
    const char *event;
    /** The ticket of the capture. */
    uint64_t ticket;
    /** The index and the count of the frame or exposure; 0 for other events. */
    int index, count;
    /** The photo of GSCAP_EVENT_PHOTO; NULL for other events. */
    GscapPhoto *photo;
    /** The result of GSCAP_EVENT_DONE; NULL for other events. */
    GscapResult *result;
    /** All fields of the message, GSCAP_FIELD_... */
    const GstStructure *fields;
} GscapEvent;

/**
 * Receives the messages of captures. Those of one capture come in order, one after another, GSCAP_EVENT_DONE last. Runs
 * on a thread of the elements, for different captures on different ones at the same time.
 */
typedef void (*GscapCallback)(GscapCamera *camera, const GscapEvent *event, void *data);

/**
 * Sets the function that receives the messages of all captures of the camera's element; NULL for none. `destroy`, which
 * may be NULL, is called with `data` once, when the function is replaced or the camera closed and no call is under way.
 */
GscapStatus gscap_set_callback(GscapCamera *camera, GscapCallback callback, void *data, void (*destroy)(void *data));

/* ---- Readiness and metrics --------------------------------------------------------------------------------------- */

/** Whether a press would be accepted now. Initialise it with GSCAP_READINESS_INIT. */
typedef struct {
    /** The size of the struct, set by GSCAP_READINESS_INIT. */
    size_t struct_size;
    /** 1 if the press would be accepted. */
    int accepted;
    /** Seconds after which it would be accepted; -1 if unknown. */
    double retry_after;
    /** The size of a frame in bytes; 0 before the format is known. */
    uint64_t frame_bytes;
    /** The bytes of the frames that captures hold. */
    uint64_t queued_bytes;
    /** The number of frames that are kept for zero shutter lag; -1 if the stream is not live. */
    int ring_frames;
    /** "accepted", "full", "too-large", "closed" or "invalid". */
    char verdict[16];
    /** Why the press would be refused; empty if it would be accepted. */
    char reason[256];
} GscapReadiness;

/** Initialises a GscapReadiness. */
#define GSCAP_READINESS_INIT {sizeof(GscapReadiness), 0, -1.0, 0, 0, -1, {0}, {0}}

/** Fills *readiness with whether a press with `request`, which may be NULL, would be accepted now. */
GscapStatus gscap_get_readiness(GscapCamera *camera, const GscapRequest *request, GscapReadiness *readiness);

/** Counters of a camera's element since its start. Initialise it with GSCAP_METRICS_INIT. */
typedef struct {
    /** The size of the struct, set by GSCAP_METRICS_INIT. */
    size_t struct_size;
    /** The captures under way. */
    unsigned waiting;
    /** The presses that were refused. */
    uint64_t refused;
    /** The frames missing in the stream, by their numbers. */
    uint64_t dropped_frames;
    /** The bytes of the frames in the ring and of those reserved for captures. */
    uint64_t bytes_held;
    /** The seconds from the last photo's exposure to its delivery; NAN before the first photo. */
    double photo_age;
    /** The seconds from the last photo's press to its delivery; NAN before the first photo. */
    double photo_latency;
} GscapMetrics;

/** Initialises a GscapMetrics. */
#define GSCAP_METRICS_INIT {sizeof(GscapMetrics), 0, 0, 0, 0, 0.0, 0.0}

/** Fills *metrics with the counters. */
GscapStatus gscap_get_metrics(GscapCamera *camera, GscapMetrics *metrics);

#ifdef __cplusplus
}
#endif

#endif
