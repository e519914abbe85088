// gscap-libraw REQUEST MEMORY SECONDS: describes the camera's raw file on descriptor 0 in the memfd on descriptor 3, as
// CCameraRaw.h says. LibRaw reads untrusted files here, in a process without rights, so that a crafted file can at most
// end this process.

#include <CCameraRaw.h>
#include <libraw/libraw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The third argument, an offset in the file, has another type in each release of LibRaw and is left out.
static void noteDamage(void *context, const char *file) {
    (void)file;
    *(bool *)context = true;
}

static void copyText(char *target, size_t size, const char *source) {
    memcpy(target, source, strnlen(source, size));
}
#define COPY_TEXT(target, source) copyText(target, sizeof target, source)

static void setPicture(GscapRawRecord *record, libraw_data_t *photo) {
    const libraw_image_sizes_t *sizes = &photo->sizes;
    record->rawWidth = sizes->raw_width, record->rawHeight = sizes->raw_height;
    record->left = sizes->left_margin, record->top = sizes->top_margin;
    int width = sizes->raw_width - sizes->left_margin, height = sizes->raw_height - sizes->top_margin;
    if (sizes->width < width) width = sizes->width;
    if (sizes->height < height) height = sizes->height;
    record->width = width > 0 ? width : 0, record->height = height > 0 ? height : 0;
    record->flip = sizes->flip, record->pixelAspect = sizes->pixel_aspect;
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    const libraw_raw_inset_crop_t *crop = &sizes->raw_inset_crops[0];
#else
    const libraw_raw_inset_crop_t *crop = &sizes->raw_inset_crop;
#endif
    record->crop[0] = crop->cleft, record->crop[1] = crop->ctop;
    record->crop[2] = crop->cwidth, record->crop[3] = crop->cheight;

    const libraw_iparams_t *camera = &photo->idata;
    record->colors = camera->colors, record->filters = camera->filters, record->isFoveon = camera->is_foveon;
    record->samples = record->filters == 0 && record->colors == 3 && !record->isFoveon ? 4 : 1;
    memcpy(record->colorNames, camera->cdesc, sizeof camera->cdesc);
    for (int pixel = 0; pixel < GSCAP_RAW_SQUARE * GSCAP_RAW_SQUARE; pixel++) {
        record->square[pixel] = libraw_COLOR(photo, pixel / GSCAP_RAW_SQUARE, pixel % GSCAP_RAW_SQUARE);
    }
}

static void setColor(GscapRawRecord *record, const libraw_colordata_t *color) {
    record->black = color->black, record->maximum = color->maximum;
    record->blackRows = color->cblack[4], record->blackColumns = color->cblack[5];
    for (int index = 0; index < 4; index++) {
        record->blackByColor[index] = color->cblack[index];
        record->statedMaximum[index] = color->linear_max[index];
        record->cameraBalance[index] = color->cam_mul[index];
        record->daylightBalance[index] = color->pre_mul[index];
    }
    memcpy(record->colorMatrix, color->cam_xyz, sizeof record->colorMatrix);
    record->flash = color->flash_used;
}

static void setShot(GscapRawRecord *record, const libraw_data_t *photo) {
    COPY_TEXT(record->make, photo->idata.make);
    COPY_TEXT(record->model, photo->idata.model);
    COPY_TEXT(record->serial, photo->shootinginfo.BodySerial);
    COPY_TEXT(record->lensMake, photo->lens.LensMake);
    COPY_TEXT(record->lensModel, photo->lens.Lens);
    COPY_TEXT(record->lensOfMakerNotes, photo->lens.makernotes.Lens);
    record->focalLengthIn35mm = photo->lens.FocalLengthIn35mmFormat;

    const libraw_imgother_t *shot = &photo->other;
    record->iso = shot->iso_speed, record->exposureTime = shot->shutter;
    record->fNumber = shot->aperture, record->focalLength = shot->focal_len;
    record->time = shot->timestamp;
    COPY_TEXT(record->title, shot->desc);
    COPY_TEXT(record->artist, shot->artist);

    const libraw_gps_info_t *place = &shot->parsed_gps;
    memcpy(record->latitude, place->latitude, sizeof record->latitude);
    memcpy(record->longitude, place->longitude, sizeof record->longitude);
    record->altitude = place->altitude, record->altitudeSign = place->altref;
    record->latitudeSign = place->latref, record->longitudeSign = place->longref;
    record->gpsStatus = place->gpsstatus, record->hasPlace = place->gpsparsed;
}

// Reads the largest JPEG in the file. A file without one is no error.
static void readPreview(libraw_data_t *photo) {
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    const libraw_thumbnail_list_t *list = &photo->thumbs_list;
    int found = -1;
    unsigned area = 0;
    for (int index = 0; index < list->thumbcount && index < LIBRAW_THUMBNAIL_MAXCOUNT; index++) {
        const libraw_thumbnail_item_t *item = &list->thumblist[index];
        unsigned pixels = (unsigned)item->twidth * item->theight;
        if (item->tformat != LIBRAW_INTERNAL_THUMBNAIL_JPEG || (found >= 0 && pixels <= area)) continue;
        found = index, area = pixels;
    }
    if (found >= 0 && libraw_unpack_thumb_ex(photo, found) == LIBRAW_SUCCESS) return;
#endif
    libraw_unpack_thumb(photo);
}

// Appends a part to the output, at a multiple of 64 bytes.
static void append(GscapRawPart *part, uint64_t size, uint64_t *end) {
    if (size == 0) return;
    part->offset = (*end + 63) / 64 * 64, part->size = size;
    *end = part->offset + size;
}

// Returns the decoded codes, or NULL, and the bytes of a pixel, of which a linear picture has 3 or 4 codes.
static const char *decoded(const GscapRawRecord *record, const libraw_data_t *photo, size_t *pixel) {
    const libraw_rawdata_t *data = &photo->rawdata;
    *pixel = 2;
    if (record->samples == 1) return (const char *)data->raw_image;
    *pixel = data->color3_image != NULL ? 6 : 8;
    return data->color3_image != NULL ? (const char *)data->color3_image : (const char *)data->color4_image;
}

// Stores a row of pixels as the codes of the output.
static void storeRow(const GscapRawRecord *record, char *target, const char *row, size_t pixel) {
    if (record->samples == 1) {
        memcpy(target, row, pixel * record->width);
        return;
    }
    for (size_t column = 0; column < record->width; column++) {
        memcpy(target + 8 * column, row + pixel * column, 6);
        memset(target + 8 * column + 6, 0xFF, 2);
    }
}

// Writes the record and what it refers to, and ends the process.
static void finish(GscapRawRecord *record, GscapRawOutcome outcome, const libraw_data_t *photo) {
    uint64_t end = sizeof *record;
    bool isDone = outcome == GscapRawOutcomeDone, isCell = record->blackRows <= 64 && record->blackColumns <= 64;
    size_t pixel = 2;
    const char *codes = isDone ? decoded(record, photo, &pixel) : NULL;
    const libraw_thumbnail_t *preview = &photo->thumbnail;
    size_t stride = photo->sizes.raw_pitch / pixel;
    if (!isCell) record->blackRows = record->blackColumns = 0;
    if (isDone) append(&record->blackCell, 4 * (uint64_t)record->blackRows * record->blackColumns, &end);
    if (isDone && preview->tformat == LIBRAW_THUMBNAIL_JPEG && preview->thumb != NULL) {
        append(&record->preview, preview->tlength, &end);
    }
    // The memory of the raw picture ends with its last row.
    if (codes != NULL && record->left + record->width <= stride && record->top + record->height <= record->rawHeight) {
        append(&record->codes, 2 * (uint64_t)record->samples * record->width * record->height, &end);
    }
    if (ftruncate(GSCAP_RAW_OUTPUT, end) != 0) _exit(1);
    char *output = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, GSCAP_RAW_OUTPUT, 0);
    if (output == MAP_FAILED) _exit(1);
    if (record->blackCell.size > 0) {
        memcpy(output + record->blackCell.offset, photo->color.cblack + 6, record->blackCell.size);
    }
    if (record->preview.size > 0) memcpy(output + record->preview.offset, preview->thumb, record->preview.size);
    for (uint32_t row = 0; record->codes.size > 0 && row < record->height; row++) {
        storeRow(record, output + record->codes.offset + 2 * (uint64_t)record->samples * row * record->width,
                 codes + ((record->top + row) * stride + record->left) * pixel, pixel);
    }
    record->outcome = outcome;
    memcpy(output, record, sizeof *record);
    _exit(0);
}

static void check(int error, GscapRawRecord *record, const libraw_data_t *photo) {
    if (error == LIBRAW_SUCCESS) return;
    record->error = error;
    COPY_TEXT(record->message, libraw_strerror(error));
    finish(record, GscapRawOutcomeLibRawError, photo);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fputs("gscap-libraw is started by gscap to read a camera's raw file.\n", stderr);
        return 64;
    }
    bool isPreview = strcmp(arguments[1], "preview") == 0, isCodes = strcmp(arguments[1], "codes") == 0;
    struct stat information;
    if (fstat(GSCAP_RAW_FILE, &information) != 0 || information.st_size <= 0) return 1;
    size_t size = information.st_size;
    void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, GSCAP_RAW_FILE, 0);
    if (file == MAP_FAILED) return 1;
    // LibRaw takes the camera's clock for one in the time zone of this machine.
    setenv("TZ", "UTC0", 1);
    gscap_raw_confine(strtoull(arguments[2], NULL, 10), strtoull(arguments[3], NULL, 10));

    static GscapRawRecord record = {.magic = GSCAP_RAW_MAGIC, .version = GSCAP_RAW_VERSION, .size = sizeof record};
    COPY_TEXT(record.reader, libraw_version());
    // Option 1 keeps LibRaw 0.20 from printing that memory is exhausted.
    libraw_data_t *photo = libraw_init(1);
    if (photo == NULL) return 1;
    bool isDamaged = false;
    libraw_set_dataerror_handler(photo, (data_callback)noteDamage, &isDamaged);
    check(libraw_open_buffer(photo, file, size), &record, photo);
    setPicture(&record, photo);

    uint64_t most = GSCAP_RAW_PIXELS_PER_BYTE * (uint64_t)size;
    if (most < GSCAP_RAW_LEAST_PIXELS) most = GSCAP_RAW_LEAST_PIXELS;
    bool isRead = record.filters != 0 || record.colors == 1 || record.samples == 4;
    if (isPreview) {
        readPreview(photo);
    } else if ((uint64_t)record.rawWidth * record.rawHeight > most) {
        finish(&record, GscapRawOutcomeTooManyPixels, photo);
    } else if (isCodes && isRead && !record.isFoveon) {
        check(libraw_unpack(photo), &record, photo);
        // LibRaw settles the levels, and the visible area, of some cameras while it decodes.
        setPicture(&record, photo);
    }
    setColor(&record, &photo->color);
    setShot(&record, photo);
    record.isDamaged = isDamaged;
    finish(&record, GscapRawOutcomeDone, photo);
}
