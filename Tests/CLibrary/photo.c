/* photo.c: one photo with its bytes and receipt, and requests in every form. */
#define _GNU_SOURCE /* memmem */
#include "check.h"

static void check_receipt(GscapPhoto *photo) {
    GscapReceipt receipt = GSCAP_RECEIPT_INIT;
    EXPECT(GSCAP_OK, gscap_photo_get_receipt(photo, &receipt));
    CHECK(receipt.struct_size == sizeof receipt && receipt.capture_id == gscap_photo_get_ticket(photo));
    CHECK(receipt.frames_used == 1 && fabs(receipt.lag) < 2);
    CHECK(receipt.age > -1 && receipt.age < LIMIT);
    CHECK(receipt.settled >= -1 && receipt.settled <= 1 && receipt.sharpness_chosen >= -1);
    CHECK(strlen(receipt.sensor_time) < sizeof receipt.sensor_time);
    CHECK(*receipt.sensor_time == 0 || receipt.sensor_time[strlen(receipt.sensor_time) - 1] == 'Z');
    const char *json = gscap_photo_get_receipt_json(photo);
    CHECK(json[0] == '{' && json[strlen(json) - 1] == '}');
    CHECK(strstr(json, "\"" GSCAP_RECEIPT_CAPTURE_ID "\": ") && strstr(json, "\"" GSCAP_RECEIPT_FRAMES_USED "\": 1"));
    receipt.struct_size = 3;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_photo_get_receipt(photo, &receipt));
}

static void check_bytes(GscapPhoto *photo) {
    size_t size = 0;
    const unsigned char *bytes = gscap_photo_get_bytes(photo, &size);
    CHECK(bytes && size > 100 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[size - 1] == 0xd9);
    CHECK(strcmp(gscap_photo_get_format(photo), "jpeg") == 0);
    CHECK(strcmp(gscap_photo_get_media_type(photo), "image/jpeg") == 0);
    CHECK(!gscap_photo_get_error(photo) && !gscap_photo_get_path(photo));
    GstSample *sample = gscap_photo_get_sample(photo);
    CHECK(sample && gst_buffer_get_size(gst_sample_get_buffer(sample)) == size);
    CHECK(gst_buffer_get_custom_meta(gst_sample_get_buffer(sample), GSCAP_META_NAME));
    gst_sample_unref(sample);
}

void test_photo(void) {
    GscapCamera *camera = NULL;
    GscapPhoto *photo = NULL;
    GscapOptions options = GSCAP_OPTIONS_INIT;
    options.frames = 1;
    options.quality = 0.8;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, &options, &camera));
    CHECK(*gscap_last_error() == 0);
    EXPECT(GSCAP_OK, gscap_take_photo(camera, NULL, LIMIT, &photo));
    GstElement *pipeline = gscap_get_pipeline(camera), *element = gscap_get_element(camera);
    CHECK(GST_IS_PIPELINE(pipeline) && GST_IS_BIN(element));
    gst_object_unref(pipeline);
    gst_object_unref(element);
    EXPECT(GSCAP_OK, gscap_close(camera));
    /* Photos outlive their camera. */
    check_bytes(photo);
    check_receipt(photo);
    CHECK(gscap_photo_ref(photo) == photo);
    gscap_photo_unref(photo);
    gscap_photo_unref(photo);
    CHECK(gscap_photo_get_ticket(photo) == 0); /* released handles are errors */
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_close(camera));
}

/* A camera that keeps no results returns those of gscap_take_photo(), also of captures that end at once. */
static void check_without_kept_results(void) {
    GscapCamera *camera = NULL;
    GscapOptions options = GSCAP_OPTIONS_INIT;
    options.kept_results = 0;
    options.deadline = 1e-9;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, &options, &camera));
    for (int i = 0; i < 50; i++) {
        GscapPhoto *photo = NULL;
        EXPECT(GSCAP_ERROR_CAPTURE, gscap_take_photo(camera, NULL, LIMIT, &photo));
        CHECK(!photo && strstr(gscap_last_error(), "deadline"));
    }
    EXPECT(GSCAP_OK, gscap_close(camera));
}

/* A refused press releases no result that is kept. */
static void check_kept_result(void) {
    GscapCamera *camera = NULL;
    GscapResult *result = NULL;
    GscapOptions options = GSCAP_OPTIONS_INIT;
    GscapMetrics metrics = GSCAP_METRICS_INIT;
    uint64_t ticket = 0, refused = 0;
    options.kept_results = 1;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, &options, &camera));
    EXPECT(GSCAP_OK, gscap_capture_text(camera, "capture, frames=(int)1", &ticket));
    do EXPECT(GSCAP_OK, gscap_get_metrics(camera, &metrics));
    while (metrics.waiting > 0);
    EXPECT(GSCAP_ERROR_REFUSED, gscap_capture_text(camera, "capture, frames=(int)0", &refused));
    EXPECT(GSCAP_OK, gscap_wait(camera, ticket, LIMIT, &result));
    gscap_result_unref(result);
    EXPECT(GSCAP_OK, gscap_close(camera));
}

/* Presses with a request and checks that the press is refused with a reason that contains a text. */
static void check_refused(GscapCamera *camera, const char *request, const char *reason) {
    uint64_t ticket = 7;
    EXPECT(GSCAP_ERROR_REFUSED, gscap_capture_text(camera, request, &ticket));
    CHECK(ticket == 0 && strstr(gscap_last_error(), reason));
}

static void finish(GscapCamera *camera, uint64_t ticket) {
    GscapResult *result = NULL;
    EXPECT(GSCAP_OK, gscap_wait(camera, ticket, LIMIT, &result));
    CHECK(gscap_result_get_outcome(result) == GSCAP_SUCCEEDED && gscap_result_get_ticket(result) == ticket);
    CHECK(gscap_result_get_photo_count(result) >= 1 && !gscap_result_get_photo(result, 99));
    CHECK(strcmp(gscap_result_get_reason(result), "") == 0);
    CHECK(gscap_result_ref(result) == result);
    gscap_result_unref(result);
    gscap_result_unref(result);
    EXPECT(GSCAP_ERROR_TICKET, gscap_wait(camera, ticket, LIMIT, &result));
}

static void check_struct(GscapCamera *camera) {
    GscapRequest request = GSCAP_REQUEST_INIT;
    const double bracket[] = {-1, 1};
    uint64_t ticket = 0;
    request.frames = 2;
    request.fusion_mode = "speed";
    request.artist = "A. Photographer";
    request.orientation = 6;
    request.location = 2;
    request.latitude = 48.1;
    request.longitude = 11.5;
    request.altitude = 520;
    request.white_temperature = 5000;
    request.keywords = "lake, evening";
    GscapPhoto *photo = NULL;
    EXPECT(GSCAP_OK, gscap_take_photo(camera, &request, LIMIT, &photo));
    size_t size = 0;
    const char *bytes = gscap_photo_get_bytes(photo, &size);
    CHECK(memmem(bytes, size, "<rdf:li>evening</rdf:li>", 24));
    gscap_photo_unref(photo);
    /* The request of a program that was compiled for version 0.3. */
    request.struct_size = offsetof(GscapRequest, keywords);
    EXPECT(GSCAP_OK, gscap_capture(camera, &request, &ticket));
    finish(camera, ticket);
    request.struct_size = sizeof request;
    request.artist = "\xff";
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(camera, &request, &ticket));
    request.artist = NULL;
    request.bracket_count = 2;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(camera, &request, &ticket));
    request.frames = 1;
    request.bracket = bracket;
    EXPECT(GSCAP_OK, gscap_capture(camera, &request, &ticket));
    finish(camera, ticket);
    request.struct_size = 1;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(camera, &request, &ticket));
}

static void check_readiness(GscapCamera *camera) {
    GscapReadiness readiness = GSCAP_READINESS_INIT;
    GscapRequest request = GSCAP_REQUEST_INIT;
    GscapMetrics metrics = GSCAP_METRICS_INIT;
    EXPECT(GSCAP_OK, gscap_get_readiness(camera, NULL, &readiness));
    CHECK(readiness.accepted == 1 && strcmp(readiness.verdict, GSCAP_VERDICT_ACCEPTED) == 0);
    CHECK(readiness.frame_bytes >= 64 * 48 * 2 && *readiness.reason == 0);
    request.flash = "sometimes";
    EXPECT(GSCAP_OK, gscap_get_readiness(camera, &request, &readiness));
    CHECK(readiness.accepted == 0 && strcmp(readiness.verdict, GSCAP_VERDICT_INVALID) == 0 && *readiness.reason);
    readiness.struct_size = 0;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_get_readiness(camera, NULL, &readiness));
    EXPECT(GSCAP_OK, gscap_get_metrics(camera, &metrics));
    CHECK(metrics.waiting == 0);
    metrics.struct_size = 0;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_get_metrics(camera, &metrics));
}

void test_requests(void) {
    GscapCamera *camera = NULL;
    GscapResult *result = NULL;
    uint64_t ticket = 0;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &camera));
    EXPECT(GSCAP_OK, gscap_capture_text(camera, "capture, frames=(int)1", &ticket));
    finish(camera, ticket);
    GstStructure *structure = gst_structure_new("press", GSCAP_REQUEST_FRAMES, G_TYPE_INT, 1, NULL);
    EXPECT(GSCAP_OK, gscap_capture_structure(camera, structure, &ticket));
    CHECK(gst_structure_n_fields(structure) == 1);
    gst_structure_free(structure);
    finish(camera, ticket);
    check_struct(camera);
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_text(camera, "not, a structure", &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_text(camera, NULL, &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_structure(camera, NULL, &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(camera, NULL, NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_text(camera, "capture, id=(int)0", &ticket));
    check_refused(camera, "capture, frames=(string)two", "frames");
    check_refused(camera, "capture, fusion-mode=(string)nonsense", "fusion-mode");
    check_refused(camera, "capture, exposure-time=(double)-1", "exposure-time");
    EXPECT(GSCAP_ERROR_TICKET, gscap_cancel(camera, 12345));
    EXPECT(GSCAP_ERROR_TICKET, gscap_wait(camera, 12345, 1, &result));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_wait(camera, ticket, NAN, &result));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_wait(camera, ticket, -1, &result));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_wait(camera, ticket, 1, NULL));
    check_readiness(camera);
    EXPECT(GSCAP_OK, gscap_close(camera));
    check_without_kept_results();
    check_kept_result();
}
