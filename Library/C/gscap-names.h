/*
 * gscap-names.h: the names of the element gscapphotobin, of its properties and signals, and of the fields of requests,
 * messages, receipts and metadata. Tools/generate/names writes this file from names.txt.
 */
#ifndef GSCAP_NAMES_H
#define GSCAP_NAMES_H

/** The element that takes photos. */
#define GSCAP_ELEMENT "gscapphotobin"
/** The name of the messages' structure. */
#define GSCAP_MESSAGE "gscap-capture"
/** The name of the custom meta on frames and photos, a structure (gst_buffer_get_custom_meta). */
#define GSCAP_META_NAME "GscapFrame"

/* Fields of a request: the structure that the signals `capture` and `admission` take. */

/** The capture id, above 0. Default: a unique one. */
#define GSCAP_REQUEST_ID "id"
/** The capture id that receipts and warnings state. Default: the id. */
#define GSCAP_REQUEST_RECEIPT_ID "receipt-id"
/**
 * The number of frames in the burst, or for each exposure of a bracket. Default: that of the effort or of the
 * pipeline.
 */
#define GSCAP_REQUEST_FRAMES "frames"
/** The mode of the fusion. Default: that of the element. */
#define GSCAP_REQUEST_FUSION_MODE "fusion-mode"
/** Those of the element's formats that the capture has. Default: all. */
#define GSCAP_REQUEST_FORMATS "formats"
/** Whether each frame of the burst is stored, rather than the reference alone. Default: false. */
#define GSCAP_REQUEST_EVERY_FRAME "every-frame"
/** The running time of the press, in nanoseconds. Default: now. */
#define GSCAP_REQUEST_TIME "time"
/**
 * The greatest time between the press and the middle of the reference frame's exposure, in seconds. Default: two
 * frame periods and the camera's delay.
 */
#define GSCAP_REQUEST_TOLERANCE "tolerance"
/** Whether the capture may contain frames from before the press. Default: the pipeline's. */
#define GSCAP_REQUEST_ZERO_SHUTTER_LAG "zero-shutter-lag"
/** The exposure time, in seconds. Default: the camera's. */
#define GSCAP_REQUEST_EXPOSURE_TIME "exposure-time"
/** The gain as an ISO number. Default: the camera's. */
#define GSCAP_REQUEST_ISO "iso"
/** The exposure relative to that of the camera, in EV. Default: 0. */
#define GSCAP_REQUEST_EXPOSURE_BIAS "exposure-bias"
/** The use of the flash. Default: off. */
#define GSCAP_REQUEST_FLASH "flash"
/** Exposures that are taken one after another, at most 16. Default: none. */
#define GSCAP_REQUEST_BRACKET "bracket"
/** Whether the exposures of the bracket are also merged into one photo. Default: false. */
#define GSCAP_REQUEST_FUSE_BRACKET "fuse-bracket"
/** The correlated colour temperature of the light, in kelvins. Default: the camera's. */
#define GSCAP_REQUEST_WHITE_TEMPERATURE "white-temperature"
/** The tint of the light, magenta when positive. Default: 0. */
#define GSCAP_REQUEST_WHITE_TINT "white-tint"
/** The photographer, stored in the files. Default: the camera's. */
#define GSCAP_REQUEST_ARTIST "artist"
/** The title, stored in the files. Default: the camera's. */
#define GSCAP_REQUEST_TITLE "title"
/** The copyright, stored in the files. Default: the camera's. */
#define GSCAP_REQUEST_COPYRIGHT "copyright"
/** The Exif orientation. Default: the camera's. */
#define GSCAP_REQUEST_ORIENTATION "orientation"
/** The position in degrees north. Default: the camera's. */
#define GSCAP_REQUEST_LATITUDE "latitude"
/** The position in degrees east. Default: the camera's. */
#define GSCAP_REQUEST_LONGITUDE "longitude"
/** The height of the position above sea level, in metres. Default: the camera's. */
#define GSCAP_REQUEST_ALTITUDE "altitude"
/** Property values for this capture alone, with a structure for each element. Default: none. */
#define GSCAP_REQUEST_SETTINGS "settings"
/** The geometry of the camera, as in the metadata of frames. Default: the camera's. */
#define GSCAP_REQUEST_CAMERA_GEOMETRY "camera-geometry"
/** Whether a capture of one frame takes the nearest to the press in place of the newest before it. Default: false. */
#define GSCAP_REQUEST_NEAREST "nearest"
/** The zoom factor by which the photos are cropped around their centre. Default: 1. */
#define GSCAP_REQUEST_CROP_FACTOR "crop-factor"
/**
 * The priority of the photo, of which background leaves the processors to everything else. Default: normal, or the
 * element's.
 */
#define GSCAP_REQUEST_PRIORITY "priority"
/** The keywords, stored in the files. Default: the camera's. */
#define GSCAP_REQUEST_KEYWORDS "keywords"

/* Fields of the messages. */

/** The name of the event (string). */
#define GSCAP_FIELD_EVENT "event"
/** The ticket of the capture (guint64). */
#define GSCAP_FIELD_CAPTURE_ID "capture-id"
/** The index of the frame or exposure, from 0; the frames merged so far in GSCAP_EVENT_FUSING (gint). */
#define GSCAP_FIELD_INDEX "index"
/** The number of frames or exposures (gint). */
#define GSCAP_FIELD_COUNT "count"
/** The number of the reference frame since the start of the sensor (guint64). */
#define GSCAP_FIELD_FRAME_NUMBER "frame-number"
/** The seconds from the press to the middle of the reference frame's exposure (gdouble). */
#define GSCAP_FIELD_LAG "lag"
/** The seconds to that from the first exposure after the camera was asked for another one (gdouble). */
#define GSCAP_FIELD_EXPOSURE_LAG "exposure-lag"
/** The report of the fusion (structure with fields GSCAP_FUSION_...). */
#define GSCAP_FIELD_REPORT "report"
/** The name of the element that made the photo, or failed to (string). */
#define GSCAP_FIELD_ELEMENT "element"
/** The size of the photo in bytes (guint64). */
#define GSCAP_FIELD_BYTES "bytes"
/** Why there is no photo (string). */
#define GSCAP_FIELD_ERROR "error"
/** The name of the photo's branch, such as "jpeg" (string). */
#define GSCAP_FIELD_FORMAT "format"
/** The bytes or pixels of the photo (GstSample). */
#define GSCAP_FIELD_SAMPLE "sample"
/** The path of the stored file (string). */
#define GSCAP_FIELD_PATH "path"
/** The index of the photo's exposure in a bracket, from 0 (gint); absent outside a bracket. */
#define GSCAP_FIELD_EXPOSURE "exposure"
/** How the photo came about (structure with fields GSCAP_RECEIPT_...). */
#define GSCAP_FIELD_RECEIPT "receipt"
/** How the capture ended (string GSCAP_RESULT_...). */
#define GSCAP_FIELD_RESULT "result"
/** Why the capture did not succeed (string). */
#define GSCAP_FIELD_REASON "reason"
/** The seconds after which a refused press would be accepted (gdouble). */
#define GSCAP_FIELD_RETRY_AFTER "retry-after"

/* Values of the field `event`, in the order of a capture. */

/** The press is accepted. First message of a capture. */
#define GSCAP_EVENT_BEGUN "begun"
/** The shutter begins to take the frames of an exposure. */
#define GSCAP_EVENT_EXPOSING "exposing"
/** All frames of an exposure are taken. */
#define GSCAP_EVENT_EXPOSED "exposed"
/** A frame is about to be pushed to the branches. */
#define GSCAP_EVENT_FRAME "frame"
/** All frames are taken: camera and scene may move. */
#define GSCAP_EVENT_TAKEN "taken"
/** A frame is aligned and merged. */
#define GSCAP_EVENT_FUSING "fusing"
/** The burst is fused. */
#define GSCAP_EVENT_FUSED "fused"
/** A photo is made, or has failed. */
#define GSCAP_EVENT_PHOTO "photo"
/** The capture is over. Last message of a capture, exactly once; the only one of a refused press. */
#define GSCAP_EVENT_DONE "done"

/* Values of the field `result`. */

/** All photos were made. */
#define GSCAP_RESULT_SUCCEEDED "succeeded"
/** Some photos were made; others failed. */
#define GSCAP_RESULT_PARTIAL "partial"
/** No photo was made. */
#define GSCAP_RESULT_FAILED "failed"
/** The capture was cancelled, or its pipeline stopped. */
#define GSCAP_RESULT_CANCELLED "cancelled"

/* Fields of a receipt, and the names in its JSON and in the XMP of the files. */

/** The ticket of the capture, or the request's receipt-id (guint64). */
#define GSCAP_RECEIPT_CAPTURE_ID "capture-id"
/** The middle of the reference frame's exposure in UTC, as ISO 8601 (string). */
#define GSCAP_RECEIPT_SENSOR_TIME "sensor-time"
/** The middle of the reference frame's exposure as running time in nanoseconds (guint64). */
#define GSCAP_RECEIPT_SENSOR_RUNNING_TIME "sensor-running-time"
/** The seconds from the press to the middle of the exposure, negative for a frame from before it (gdouble). */
#define GSCAP_RECEIPT_LAG "lag"
/** The seconds to that from the first exposure after the camera was asked for another one (gdouble). */
#define GSCAP_RECEIPT_EXPOSURE_LAG "exposure-lag"
/** The seconds from the middle of the exposure to the delivery of the photo, in its file to the encoding (gdouble). */
#define GSCAP_RECEIPT_AGE "age"
/** Whether the camera's automatic functions had settled, or requested values were reached (gboolean). */
#define GSCAP_RECEIPT_SETTLED "settled"
/** The number of frames in the photo (gint). */
#define GSCAP_RECEIPT_FRAMES_USED "frames-used"
/** The number of the reference frame since the start of the sensor (guint64). */
#define GSCAP_RECEIPT_FRAME_NUMBER "frame-number"
/** Whether the reference was chosen for its sharpness (gboolean). */
#define GSCAP_RECEIPT_SHARPNESS_CHOSEN "sharpness-chosen"
/** The place in time, from 0, of a frame that is stored beside others of its burst (gint). */
#define GSCAP_RECEIPT_BURST_INDEX "burst-index"
/** The number of frames of that burst (gint). */
#define GSCAP_RECEIPT_BURST_COUNT "burst-count"
/** Whether that frame is the reference of its burst (gboolean). */
#define GSCAP_RECEIPT_BURST_REFERENCE "burst-reference"

/* Fields of the answer of the signal `admission`. */

/** Whether a press would be accepted (string GSCAP_VERDICT_...). */
#define GSCAP_ADMISSION_VERDICT "verdict"
/** Why the press would be refused; empty if it would be accepted (string). */
#define GSCAP_ADMISSION_REASON "reason"
/** The seconds after which the press would be accepted (gdouble). */
#define GSCAP_ADMISSION_RETRY_AFTER "retry-after"
/** The size of a frame in bytes; 0 before the format is known (guint64). */
#define GSCAP_ADMISSION_FRAME_BYTES "frame-bytes"
/** The size of the frames that captures hold (guint64). */
#define GSCAP_ADMISSION_QUEUED_BYTES "queued-bytes"
/** The number of frames kept for zero shutter lag; absent if the stream is not live (gint). */
#define GSCAP_ADMISSION_RING_FRAMES "ring-frames"
/** The instant of the newest frame in nanoseconds of running time; absent if not live (guint64). */
#define GSCAP_ADMISSION_NEWEST_INSTANT "newest-instant"
/** The time between frames in nanoseconds; absent while unknown, or if not live (guint64). */
#define GSCAP_ADMISSION_FRAME_PERIOD "frame-period"

/* Values of the field `verdict`. */

/** The press would be accepted. */
#define GSCAP_VERDICT_ACCEPTED "accepted"
/** The captures under way hold the memory that the press needs. */
#define GSCAP_VERDICT_FULL "full"
/** The press alone needs more memory than captures may hold. */
#define GSCAP_VERDICT_TOO_LARGE "too-large"
/** The stream is not running, has ended or is being flushed. */
#define GSCAP_VERDICT_CLOSED "closed"
/** The request has a mistake. */
#define GSCAP_VERDICT_INVALID "invalid"

/* Signals of the element gscapphotobin. */

/** Action: takes a request (GstStructure or NULL), returns the capture id (guint64), or 0 if it is refused. */
#define GSCAP_SIGNAL_CAPTURE "capture"
/** Action: takes a capture id (guint64), returns whether that capture was under way (gboolean). */
#define GSCAP_SIGNAL_CANCEL "cancel"
/** Action: takes a request (GstStructure or NULL), returns whether it would be accepted (GstStructure). */
#define GSCAP_SIGNAL_ADMISSION "admission"
/** Emitted for each message of a capture (GstStructure), on the thread that posts it. */
#define GSCAP_SIGNAL_CAPTURE_EVENT "capture-event"

/* Properties of the element gscapphotobin. */

/** The photos of each capture, separated by commas (string). */
#define GSCAP_PROPERTY_FORMATS "formats"
/** The quality of compressed photos, 0 to 1 (gdouble). */
#define GSCAP_PROPERTY_QUALITY "quality"
/** The frames of a burst (gint). */
#define GSCAP_PROPERTY_FRAMES "frames"
/** The mode of the fusion (an enumeration). */
#define GSCAP_PROPERTY_FUSION_MODE "fusion-mode"
/** The mebibytes of frames that captures may hold. */
#define GSCAP_PROPERTY_MAX_QUEUED "max-queued"
/** Whether photos are computed at a higher nice value, unless the request specifies it (gboolean). */
#define GSCAP_PROPERTY_BACKGROUND "background"
/** The seconds from a press to the end of its capture; 0 for the limits of the shutter (gdouble). */
#define GSCAP_PROPERTY_DEADLINE "deadline"
/** Folder and beginning of the names of files; empty for none (string). */
#define GSCAP_PROPERTY_LOCATION "location"
/** The seconds from one automatic capture to the next; 0 for none (gdouble). */
#define GSCAP_PROPERTY_CAPTURE_PERIOD "capture-period"
/** The number of the frame that begins one automatic capture; -1 for none (gint64). */
#define GSCAP_PROPERTY_CAPTURE_FRAME "capture-frame"
/** The captures under way (read-only). */
#define GSCAP_PROPERTY_WAITING "waiting"
/** The presses that were refused (read-only). */
#define GSCAP_PROPERTY_REFUSED "refused"
/** The frames that were dropped (read-only). */
#define GSCAP_PROPERTY_DROPPED_FRAMES "dropped-frames"
/** The bytes that captures hold (read-only). */
#define GSCAP_PROPERTY_BYTES_HELD "bytes-held"
/** The seconds from the last photo's exposure to its delivery (read-only). */
#define GSCAP_PROPERTY_PHOTO_AGE "photo-age"
/** The seconds from the last photo's press to its delivery (read-only). */
#define GSCAP_PROPERTY_PHOTO_LATENCY "photo-latency"

/* Fields of the custom meta GSCAP_META_NAME on frames and photos. */

/** The exposure time in seconds; 0 when unknown (gdouble). */
#define GSCAP_META_EXPOSURE_TIME "exposure-time"
/** The ISO speed; 0 when unknown (gdouble). */
#define GSCAP_META_ISO "iso"
/** The black level of the four positions of the CFA cell (array of gdouble). */
#define GSCAP_META_BLACK_LEVEL "black-level"
/** The saturated code (gdouble). */
#define GSCAP_META_WHITE_LEVEL "white-level"
/** The camera colour of neutral white (array of 3 gdouble). */
#define GSCAP_META_NEUTRAL "neutral"
/** Scale and offset of the noise for each plane (array of gdouble). */
#define GSCAP_META_NOISE_PROFILE "noise-profile"
/** TRUE if the noise profile was estimated from frames instead of stated by the camera (gboolean). */
#define GSCAP_META_NOISE_ESTIMATED "noise-estimated"
/** TRUE if the camera has no colour filters (gboolean). */
#define GSCAP_META_MONOCHROME "monochrome"
/** The start of the exposure in nanoseconds of the sensor's clock (guint64). */
#define GSCAP_META_SENSOR_TIMESTAMP "sensor-timestamp"
/** The number of the frame since the start of the sensor (guint64). */
#define GSCAP_META_FRAME_NUMBER "frame-number"
/** The start of the exposure in microseconds since 1970-01-01 UTC; 0 when unknown (gint64). */
#define GSCAP_META_WALL_CLOCK "wall-clock"
/** The time zone of wall-clock in seconds east of UTC; absent for that of the machine (gint). */
#define GSCAP_META_UTC_OFFSET "utc-offset"
/** TRUE if wall-clock counts from 1970-01-01 of a time zone that is unknown (gboolean). */
#define GSCAP_META_TIME_ZONE_UNKNOWN "time-zone-unknown"
/** The Exif orientation, 1 to 8 (gint). */
#define GSCAP_META_ORIENTATION "orientation"
/** The manufacturer of the camera (string). */
#define GSCAP_META_MAKE "make"
/** The model of the camera (string). */
#define GSCAP_META_MODEL "model"
/** The number of frames in this image (gint). */
#define GSCAP_META_FUSED_FRAMES "fused-frames"
/** The calibration illuminant, an Exif LightSource number (gint). */
#define GSCAP_META_ILLUMINANT_1 "illuminant-1"
/** The calibration illuminant, an Exif LightSource number (gint). */
#define GSCAP_META_ILLUMINANT_2 "illuminant-2"
/** The calibration illuminant, an Exif LightSource number (gint). */
#define GSCAP_META_ILLUMINANT_3 "illuminant-3"
/** CIE XYZ to camera colour (array of 9 gdouble). */
#define GSCAP_META_COLOR_MATRIX_1 "color-matrix-1"
/** CIE XYZ to camera colour (array of 9 gdouble). */
#define GSCAP_META_COLOR_MATRIX_2 "color-matrix-2"
/** CIE XYZ to camera colour (array of 9 gdouble). */
#define GSCAP_META_COLOR_MATRIX_3 "color-matrix-3"
/** White-balanced camera colour to CIE XYZ (array of 9 gdouble). */
#define GSCAP_META_FORWARD_MATRIX_1 "forward-matrix-1"
/** White-balanced camera colour to CIE XYZ (array of 9 gdouble). */
#define GSCAP_META_FORWARD_MATRIX_2 "forward-matrix-2"
/** White-balanced camera colour to CIE XYZ (array of 9 gdouble). */
#define GSCAP_META_FORWARD_MATRIX_3 "forward-matrix-3"
/** The colour of the model's cameras to that of this camera (array of 9 gdouble). */
#define GSCAP_META_CAMERA_CALIBRATION_1 "camera-calibration-1"
/** The colour of the model's cameras to that of this camera (array of 9 gdouble). */
#define GSCAP_META_CAMERA_CALIBRATION_2 "camera-calibration-2"
/** The colour of the model's cameras to that of this camera (array of 9 gdouble). */
#define GSCAP_META_CAMERA_CALIBRATION_3 "camera-calibration-3"
/** The chromaticity of an illuminant without LightSource number (array of 2 gdouble). */
#define GSCAP_META_LIGHT_COLOR_1 "light-color-1"
/** The chromaticity of an illuminant without LightSource number (array of 2 gdouble). */
#define GSCAP_META_LIGHT_COLOR_2 "light-color-2"
/** The chromaticity of an illuminant without LightSource number (array of 2 gdouble). */
#define GSCAP_META_LIGHT_COLOR_3 "light-color-3"
/** Whether the flash fired during the exposure (gboolean). */
#define GSCAP_META_FLASH_FIRED "flash-fired"
/** The capture that the frame belongs to (guint64). */
#define GSCAP_META_CAPTURE_ID "capture-id"
/** The capture id that receipts and warnings state (guint64); absent if it is capture-id. */
#define GSCAP_META_CAPTURE_RECEIPT_ID "capture-receipt-id"
/** The place of the frame in the burst in order of time, from 0 (gint). */
#define GSCAP_META_CAPTURE_INDEX "capture-index"
/** TRUE for the reference of the burst, which comes first (gboolean). */
#define GSCAP_META_CAPTURE_REFERENCE "capture-reference"
/** FALSE if the reference alone is stored; absent otherwise (gboolean). */
#define GSCAP_META_CAPTURE_EVERY_FRAME "capture-every-frame"
/** "background" if the photo is computed at a higher nice value; absent otherwise (string). */
#define GSCAP_META_CAPTURE_PRIORITY "capture-priority"
/** The number of frames in the burst (gint). */
#define GSCAP_META_CAPTURE_COUNT "capture-count"
/** The mode that the request named (string). */
#define GSCAP_META_CAPTURE_FUSION_MODE "capture-fusion-mode"
/** The seconds from the press to the middle of the frame's exposure (gdouble). */
#define GSCAP_META_CAPTURE_LAG "capture-lag"
/** The seconds to that from the first exposure after another one was asked for (gdouble). */
#define GSCAP_META_CAPTURE_EXPOSURE_LAG "capture-exposure-lag"
/** TRUE if the frame's file states that it was the reference of its burst; absent otherwise (gboolean). */
#define GSCAP_META_STORED_REFERENCE "stored-reference"
/** The middle of the frame's exposure as running time in nanoseconds (guint64). */
#define GSCAP_META_CAPTURE_RUNNING_TIME "capture-running-time"
/** Whether the camera's automatic functions had settled, or requested values were reached (gboolean). */
#define GSCAP_META_CAPTURE_SETTLED "capture-settled"
/** FALSE if the frame is too far from the press to become the reference (gboolean). */
#define GSCAP_META_CAPTURE_MAY_BE_REFERENCE "capture-may-be-reference"
/** The index of the exposure in its bracket (gint). */
#define GSCAP_META_CAPTURE_EXPOSURE "capture-exposure"
/** The number of exposures in the bracket (gint). */
#define GSCAP_META_CAPTURE_EXPOSURES "capture-exposures"
/** The requested exposure in EV relative to the camera's (gdouble). */
#define GSCAP_META_CAPTURE_EXPOSURE_BIAS "capture-exposure-bias"
/** TRUE if the frames of the burst have different exposures (gboolean). */
#define GSCAP_META_CAPTURE_BRACKET "capture-bracket"
/** The `settings` of the request (structure). */
#define GSCAP_META_CAPTURE_SETTINGS "capture-settings"
/** MD5 of each sensor frame in this image (array of strings). */
#define GSCAP_META_SENSOR_DIGESTS "sensor-digests"
/** Accepted damage of the files that this image was made from (array of strings). */
#define GSCAP_META_ACCEPTED_DAMAGE "accepted-damage"
/** TRUE if another program has changed the metadata of such a file since the capture (gboolean). */
#define GSCAP_META_EDITED "edited"
/** The report of the fusion (structure with fields GSCAP_FUSION_...). */
#define GSCAP_META_FUSION "fusion"
/** The rendering parameters (structure). */
#define GSCAP_META_RECIPE "recipe"
/** Gain maps (array of arrays). */
#define GSCAP_META_LENS_SHADING "lens-shading"
/** The lens calibration: size, focal length, optical axis, distortion, pose (array of gdouble). */
#define GSCAP_META_CAMERA_GEOMETRY "camera-geometry"
/** The zoom factor by which the photo is cropped around its centre (gdouble). */
#define GSCAP_META_CROP_FACTOR "crop-factor"
/** The distortion of the lens (array of gdouble). */
#define GSCAP_META_LENS_WARP "lens-warp"
/** The radial model of the distortion (string). */
#define GSCAP_META_LENS_WARP_MODEL "lens-warp-model"
/** The focal length in millimetres (gdouble). */
#define GSCAP_META_FOCAL_LENGTH "focal-length"
/** The focal length in millimetres on 35 mm film (gdouble). */
#define GSCAP_META_FOCAL_LENGTH_35MM "focal-length-35mm"
/** The factor by which a digital zoom has cropped the picture (gdouble). */
#define GSCAP_META_DIGITAL_ZOOM_RATIO "digital-zoom-ratio"
/** The f-number (gdouble). */
#define GSCAP_META_F_NUMBER "f-number"
/** The manufacturer of the lens (string). */
#define GSCAP_META_LENS_MAKE "lens-make"
/** The model of the lens (string). */
#define GSCAP_META_LENS_MODEL "lens-model"
/** Latitude, longitude and altitude (array of 2 or 3 gdouble). */
#define GSCAP_META_LOCATION "location"
/** The photographer (string). */
#define GSCAP_META_ARTIST "artist"
/** The copyright (string). */
#define GSCAP_META_COPYRIGHT "copyright"
/** The title (string). */
#define GSCAP_META_TITLE "title"
/** The rating, 1 to 5, or -1 for rejected (gint). */
#define GSCAP_META_RATING "rating"
/** The label (string). */
#define GSCAP_META_LABEL "label"
/** The keywords (array of strings). */
#define GSCAP_META_KEYWORDS "keywords"
/** The tags of the file that the frame was read from, which DNGs inherit: a DNG without pixels (GstSample). */
#define GSCAP_META_SOURCE_TAGS "source-tags"

/* Fields of the report of the fusion. */

/** The frames of the burst (array of structures with the four fields below). */
#define GSCAP_FUSION_FRAMES "frames"
/** The index of the frame (gint). */
#define GSCAP_FUSION_INDEX "index"
/** The motion of the frame in pixels to the right and down (array of 2 gdouble). */
#define GSCAP_FUSION_MOTION "motion"
/** The share of the image in which the frame is merged, 0 to 1 (gdouble). */
#define GSCAP_FUSION_MERGED_SHARE "merged-share"
/** Why the frame was left out (string). */
#define GSCAP_FUSION_REJECTION "rejection"
/** The index of the reference frame (gint). */
#define GSCAP_FUSION_REFERENCE "reference"
/** The number of frames that were not left out (gint). */
#define GSCAP_FUSION_USED "used"
/** The frames averaged in a pixel, as the mean over the image (gdouble). */
#define GSCAP_FUSION_EFFECTIVE_FRAMES "effective-frames"
/** The 5th percentile of that (gdouble). */
#define GSCAP_FUSION_LEAST_EFFECTIVE_FRAMES "least-effective-frames"
/** The expected reduction of noise variance in dB (gdouble). */
#define GSCAP_FUSION_EXPECTED_NOISE_GAIN "expected-noise-gain"
/** The measured reduction of noise variance in dB (gdouble). */
#define GSCAP_FUSION_MEASURED_NOISE_GAIN "measured-noise-gain"
/** Where the noise is known from: stated, estimated or corrected (string). */
#define GSCAP_FUSION_NOISE_SOURCE "noise-source"
/** The noise variance that was measured, relative to that of the stated profile (gdouble). */
#define GSCAP_FUSION_STATED_NOISE_RATIO "stated-noise-ratio"
/** The highlight headroom of a bracket in EV (gdouble). */
#define GSCAP_FUSION_HEADROOM "headroom"
/** The number of defective pixels that were repaired (gint). */
#define GSCAP_FUSION_REPAIRED_PIXELS "repaired-pixels"
/** The fraction of the image that super-resolution resolved more finely (gdouble). */
#define GSCAP_FUSION_SUPER_RESOLVED_FRACTION "super-resolved-fraction"
/** The size of the photo relative to its frames, 1 to 2 (gdouble). */
#define GSCAP_FUSION_SUPER_RESOLUTION_SCALE "super-resolution-scale"
/** The strength of the noise reduction after merging: 0 for none, 1 for the usual amount (gdouble). */
#define GSCAP_FUSION_DENOISING "denoising"
/** The fraction of the image in which the pixels of a tele camera were used (gdouble). */
#define GSCAP_FUSION_TELE_USED_FRACTION "tele-used-fraction"
/** The size of the photo relative to that of the wide camera, 1 to 2 (gdouble). */
#define GSCAP_FUSION_TELE_ENLARGEMENT "tele-enlargement"
/** The stages of the fusion (array of structures with the two fields below). */
#define GSCAP_FUSION_STAGES "stages"
/** The name of the stage (string). */
#define GSCAP_FUSION_NAME "name"
/** The seconds that the stage took (gdouble). */
#define GSCAP_FUSION_SECONDS "seconds"
/** The columns of the grid of effective frames (gint). */
#define GSCAP_FUSION_MAP_COLUMNS "map-columns"
/** The rows of the grid of effective frames (gint). */
#define GSCAP_FUSION_MAP_ROWS "map-rows"
/** The effective frames in each cell of the grid, row by row (array of gdouble). */
#define GSCAP_FUSION_MAP "map"

#endif
