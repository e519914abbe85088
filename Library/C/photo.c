/* photo.c: photos with their bytes and receipts. */
#include "gscap-private.h"

#include <math.h>
#include <string.h>

struct GscapPhoto {
    GscapHandle handle;
    guint64 ticket;
    int exposure;
    char *format, *path, *error, *media_type, *json;
    /* The sample that owns the bytes, which stay mapped as long as the photo exists. */
    GstSample *sample;
    GstMapInfo map;
    gboolean is_mapped;
    GstStructure *receipt;
};

static void map_sample(GscapPhoto *photo) {
    GstBuffer *buffer = photo->sample ? gst_sample_get_buffer(photo->sample) : NULL;
    photo->is_mapped = buffer && gst_buffer_map(buffer, &photo->map, GST_MAP_READ);
    GstCaps *caps = photo->sample ? gst_sample_get_caps(photo->sample) : NULL;
    if (photo->is_mapped && caps && gst_caps_get_size(caps) > 0)
        photo->media_type = g_strdup(gst_structure_get_name(gst_caps_get_structure(caps, 0)));
}

GscapPhoto *gscap_photo_new(guint64 ticket, const GstStructure *message) {
    GscapPhoto *photo = g_new0(GscapPhoto, 1);
    photo->handle.references = 1;
    photo->ticket = ticket;
    const char *format = gst_structure_get_string(message, GSCAP_FIELD_FORMAT);
    if (!format) format = gst_structure_get_string(message, GSCAP_FIELD_ELEMENT);
    photo->format = g_strdup(format ? format : "");
    photo->path = g_strdup(gst_structure_get_string(message, GSCAP_FIELD_PATH));
    photo->error = g_strdup(gst_structure_get_string(message, GSCAP_FIELD_ERROR));
    if (gst_structure_has_field_typed(message, GSCAP_FIELD_SAMPLE, GST_TYPE_SAMPLE))
        gst_structure_get(message, GSCAP_FIELD_SAMPLE, GST_TYPE_SAMPLE, &photo->sample, NULL);
    gst_structure_get_int(message, GSCAP_FIELD_EXPOSURE, &photo->exposure);
    map_sample(photo);
    const GValue *receipt = gst_structure_get_value(message, GSCAP_FIELD_RECEIPT);
    if (receipt && GST_VALUE_HOLDS_STRUCTURE(receipt) && gst_value_get_structure(receipt))
        photo->receipt = gst_structure_copy(gst_value_get_structure(receipt));
    else
        photo->receipt = gst_structure_new("receipt", GSCAP_RECEIPT_CAPTURE_ID, G_TYPE_UINT64, ticket, NULL);
    photo->json = gscap_json(photo->receipt);
    gscap_handle_add(photo, GSCAP_HANDLE_PHOTO);
    return photo;
}

static void free_photo(GscapPhoto *photo) {
    if (photo->is_mapped) gst_buffer_unmap(gst_sample_get_buffer(photo->sample), &photo->map);
    if (photo->sample) gst_sample_unref(photo->sample);
    gst_structure_free(photo->receipt);
    g_free(photo->format);
    g_free(photo->path);
    g_free(photo->error);
    g_free(photo->media_type);
    g_free(photo->json);
    g_free(photo);
}

GscapPhoto *gscap_photo_ref(GscapPhoto *photo) { return gscap_handle_ref(photo, GSCAP_HANDLE_PHOTO); }

void gscap_photo_unref(GscapPhoto *photo) {
    if (gscap_handle_unref(photo, GSCAP_HANDLE_PHOTO)) free_photo(photo);
}

/* Begins a function on a photo: returns it with a reference, or NULL with the last error set. */
static GscapPhoto *enter(GscapPhoto *photo) {
    GscapPhoto *valid = gscap_photo_ref(photo);
    if (valid) gscap_succeed();
    else gscap_fail(GSCAP_ERROR_ARGUMENT, "this is not a photo: it is NULL or was released");
    return valid;
}

const void *gscap_photo_get_bytes(GscapPhoto *photo, size_t *size) {
    if (size) *size = 0;
    if (!enter(photo)) return NULL;
    const void *bytes = photo->is_mapped ? photo->map.data : NULL;
    if (size && bytes) *size = photo->map.size;
    gscap_photo_unref(photo);
    return bytes;
}

/* The texts stay valid after the reference of this call is released, because the caller has one. */
#define TEXT(name)                                                                                                     \
    const char *gscap_photo_get_##name(GscapPhoto *photo) {                                                            \
        if (!enter(photo)) return NULL;                                                                                \
        const char *text = photo->name;                                                                                \
        gscap_photo_unref(photo);                                                                                      \
        return text;                                                                                                   \
    }

TEXT(format)
TEXT(media_type)
TEXT(path)
TEXT(error)

const char *gscap_photo_get_receipt_json(GscapPhoto *photo) {
    if (!enter(photo)) return NULL;
    const char *json = photo->json;
    gscap_photo_unref(photo);
    return json;
}

uint64_t gscap_photo_get_ticket(GscapPhoto *photo) {
    if (!enter(photo)) return 0;
    uint64_t ticket = photo->ticket;
    gscap_photo_unref(photo);
    return ticket;
}

int gscap_photo_get_exposure(GscapPhoto *photo) {
    if (!enter(photo)) return 0;
    int exposure = photo->exposure;
    gscap_photo_unref(photo);
    return exposure;
}

GstSample *gscap_photo_get_sample(GscapPhoto *photo) {
    if (!enter(photo)) return NULL;
    GstSample *sample = photo->sample ? gst_sample_ref(photo->sample) : NULL;
    gscap_photo_unref(photo);
    return sample;
}

/* Returns 1 for TRUE, 0 for FALSE, -1 if the field is missing. */
static int truth(const GstStructure *receipt, const char *field) {
    gboolean value = FALSE;
    return gst_structure_get_boolean(receipt, field, &value) ? value != FALSE : -1;
}

static void read_receipt(const GscapPhoto *photo, GscapReceipt *receipt) {
    const GstStructure *fields = photo->receipt;
    double frames = 0;
    receipt->capture_id = photo->ticket;
    gscap_get_count(fields, GSCAP_RECEIPT_CAPTURE_ID, &receipt->capture_id);
    receipt->sensor_running_time = GST_CLOCK_TIME_NONE;
    receipt->lag = receipt->exposure_lag = receipt->age = NAN;
    gscap_get_count(fields, GSCAP_RECEIPT_FRAME_NUMBER, &receipt->frame_number);
    gscap_get_count(fields, GSCAP_RECEIPT_SENSOR_RUNNING_TIME, &receipt->sensor_running_time);
    gscap_get_number(fields, GSCAP_RECEIPT_LAG, &receipt->lag);
    gscap_get_number(fields, GSCAP_RECEIPT_EXPOSURE_LAG, &receipt->exposure_lag);
    gscap_get_number(fields, GSCAP_RECEIPT_AGE, &receipt->age);
    gscap_get_number(fields, GSCAP_RECEIPT_FRAMES_USED, &frames);
    receipt->frames_used = (int)CLAMP(frames, 0, G_MAXINT);
    receipt->settled = truth(fields, GSCAP_RECEIPT_SETTLED);
    receipt->sharpness_chosen = truth(fields, GSCAP_RECEIPT_SHARPNESS_CHOSEN);
    double index = -1, count = 0;
    gscap_get_number(fields, GSCAP_RECEIPT_BURST_INDEX, &index);
    gscap_get_number(fields, GSCAP_RECEIPT_BURST_COUNT, &count);
    receipt->burst_index = (int)CLAMP(index, -1, G_MAXINT);
    receipt->burst_count = (int)CLAMP(count, 0, G_MAXINT);
    receipt->burst_reference = truth(fields, GSCAP_RECEIPT_BURST_REFERENCE);
    const char *time = gst_structure_get_string(fields, GSCAP_RECEIPT_SENSOR_TIME);
    g_strlcpy(receipt->sensor_time, time ? time : "", sizeof receipt->sensor_time);
}

GscapStatus gscap_photo_get_receipt(GscapPhoto *photo, GscapReceipt *receipt) {
    GscapReceipt filled = GSCAP_RECEIPT_INIT;
    if (!gscap_copy_struct(&filled, sizeof filled, receipt))
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "the receipt is NULL or not initialised with GSCAP_RECEIPT_INIT");
    if (!enter(photo)) return GSCAP_ERROR_ARGUMENT;
    read_receipt(photo, &filled);
    /* A program that was compiled with an older header has a shorter struct. */
    filled.struct_size = receipt->struct_size;
    memcpy(receipt, &filled, MIN(receipt->struct_size, sizeof filled));
    gscap_photo_unref(photo);
    return GSCAP_OK;
}
