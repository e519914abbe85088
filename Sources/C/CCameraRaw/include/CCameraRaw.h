#pragma once

// What the program gscap-libraw, which reads cameras' raw files through LibRaw, and the module CameraRaw, which starts
// it, have in common: the record that the program returns, and its limits.
//
// The program has the raw file as descriptor 0, a pipe for messages as 1 and 2, and a memfd as 3. Its arguments are the
// request (header, codes or preview), the memory in bytes that it may take, and the processor time in seconds. It
// writes a record at the start of the memfd, and what the record refers to behind it.

#include <stdint.h>
#include <sys/types.h>

#define GSCAP_RAW_FILE 0
#define GSCAP_RAW_OUTPUT 3

// "graw" and the version of the record.
#define GSCAP_RAW_MAGIC 0x77617267u
#define GSCAP_RAW_VERSION 2u

// The pixels of a square at the top left whose colours the record lists; LibRaw's patterns are up to 16 pixels wide.
#define GSCAP_RAW_SQUARE 18

// A raw picture may have this many pixels for each byte of its file, or GSCAP_RAW_LEAST_PIXELS if that is more. Cameras
// take more than a tenth of a byte for a pixel, even of a black picture, besides the previews in the file.
#define GSCAP_RAW_PIXELS_PER_BYTE 64
#define GSCAP_RAW_LEAST_PIXELS 4000000

/// How a request ended; 0 until the record is complete.
typedef enum {
    GscapRawOutcomeNone = 0,
    /// The record describes the file.
    GscapRawOutcomeDone = 1,
    /// LibRaw returned an error: `error` and `message`.
    GscapRawOutcomeLibRawError = 2,
    /// The file is too small for a picture of the size that it states: `rawWidth` and `rawHeight`.
    GscapRawOutcomeTooManyPixels = 3,
} GscapRawOutcome;

/// A part of the output behind the record, in bytes; of the size 0 if it is missing.
typedef struct {
    uint64_t offset, size;
} GscapRawPart;

/// The description of a raw file, with the values of LibRaw's fields. Texts end with a NUL unless they fill their
/// field. All values are untrusted: a crafted file may have taken over the program that wrote them.
typedef struct {
    uint32_t magic, version, size;
    /// Written last.
    uint32_t outcome;
    /// LibRaw's error number, what LibRaw calls it, and LibRaw's version, such as 0.20.2.
    int32_t error;
    char message[128];
    char reader[32];

    /// The codes of the visible area, each of 2 bytes, by rows without padding: `samples` of each pixel.
    GscapRawPart codes;
    /// The largest JPEG in the file.
    GscapRawPart preview;
    /// A cell of `blackRows` × `blackColumns` black levels, each a uint32_t, that are added to the others.
    GscapRawPart blackCell;
    uint32_t blackRows, blackColumns;
    uint32_t isDamaged;
    /// 1 for a mosaic or a monochrome picture, 4 for a linear one of red, green and blue: these and 65535.
    uint32_t samples;
    /// The width of a pixel divided by its height.
    float pixelAspect;

    /// The sides of the raw picture and of its visible area, which has this margin.
    uint32_t rawWidth, rawHeight, width, height, left, top;
    uint32_t flip;
    /// The crop that the camera states: left, top, width and height in the raw picture.
    uint32_t crop[4];

    uint32_t colors, filters, isFoveon;
    char colorNames[8];
    uint8_t square[GSCAP_RAW_SQUARE * GSCAP_RAW_SQUARE];

    uint32_t black, blackByColor[4];
    uint32_t maximum;
    /// The white levels by colour that the camera states.
    int64_t statedMaximum[4];
    float cameraBalance[4], daylightBalance[4];
    /// The rows of the matrix from CIE XYZ to the camera's colours.
    float colorMatrix[12];

    char make[64], model[64], serial[64];
    char lensMake[128], lensModel[128], lensOfMakerNotes[128];
    uint32_t focalLengthIn35mm;

    float iso, exposureTime, fNumber, focalLength, flash;
    /// The camera's clock, as seconds after 1970-01-01 00:00 in its unknown time zone.
    int64_t time;
    /// Degrees, minutes and seconds.
    float latitude[3], longitude[3], altitude;
    uint8_t altitudeSign, latitudeSign, longitudeSign, gpsStatus, hasPlace;
    char title[512], artist[64];
} GscapRawRecord;

/// Creates memory for the output of the program, without a name in the file system. Returns its descriptor, or -1.
int gscap_raw_create_output(void);

/// Makes an output unchangeable. Returns 0, or -1 if a process has mapped it for writing.
int gscap_raw_seal(int output);

/// Starts the program, whose path is the first argument, with a file and an output, both open descriptors; all others
/// are closed in it. Stores its number and a descriptor that reads what it prints, and ends with it. Returns 0, or an
/// error number.
int gscap_raw_start(
    char *const *arguments, char *const *environment, int file, int output, int *messages, pid_t *process);

/// Returns the path of the library or program that contains an address, as the dynamic loader has it, or NULL.
const char *gscap_raw_object(const void *address);

/// Returns the path of the library with the Swift runtime, or NULL.
const char *gscap_raw_runtime(void);

/// Limits this process, for good: memory in bytes, processor time in seconds, the size of files, and no further
/// descriptors, so that it can open nothing. Where the kernel has seccomp filters, all system calls but those for
/// memory, threads and the open descriptors fail. The process leaves no core file, and dies with its parent.
void gscap_raw_confine(uint64_t memory, uint64_t seconds);
