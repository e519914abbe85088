/* An RTSP server for the preview of a RAW camera. While clients watch, each line on standard input takes a still at the
 * full resolution of the camera.
 *
 *     cc rtsp-stills.c -o rtsp-stills $(pkg-config --cflags --libs gscap-1 gstreamer-rtsp-server-1.0)
 *     ./rtsp-stills --output photos
 *     ffplay rtsp://127.0.0.1:8554/camera        # in another terminal; then press Return here
 *
 * The clients watch one pipeline, which belongs to the server: it starts with the first client and ends with the last.
 * It knows no photos; libgscap attaches a photo branch to its tee.
 */
#include <gscap.h>
#include <glib-unix.h>
#include <gst/rtsp-server/rtsp-server.h>
#include <stdio.h>

static int port = 8554, width = 1280, height = 960;
static char *output = ".";
static char *camera = "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=4032,height=3024,framerate=10/1";
static const GOptionEntry options[] = {
    {"port", 0, 0, G_OPTION_ARG_INT, &port, "Port of the server, 0 for any free one (8554)", "NUMBER"},
    {"output", 0, 0, G_OPTION_ARG_FILENAME, &output, "Folder of the stills (.)", "FOLDER"},
    {"camera", 0, 0, G_OPTION_ARG_STRING, &camera, "Pipeline text of a source of raw frames", "TEXT"},
    {"width", 0, 0, G_OPTION_ARG_INT, &width, "Width of the preview (1280)", "PIXELS"},
    {"height", 0, 0, G_OPTION_ARG_INT, &height, "Height of the preview (960)", "PIXELS"},
    {NULL},
};

/* The queue drops frames that the encoder is too slow for, so the encoder delays no photo. It is limited by frames,
 * because one raw frame may exceed a limit by bytes. */
static char *pipeline_text(void) {
    GstElementFactory *openh264 = gst_element_factory_find("openh264enc");
    /* x264enc is GPL-licensed, and so is a program that loads it; openh264enc has the BSD licence. */
    const char *encoder = openh264 ? "openh264enc complexity=low gop-size=30 bitrate=4000000"
                                   : "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=4000";
    if (openh264) gst_object_unref(openh264);
    return g_strdup_printf(
        "( %s ! tee name=raw"
        "  raw. ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0"
        "    ! rawunpack ! rawdevelop quality=preview ! video/x-raw,width=%d,height=%d ! videoconvert"
        "    ! video/x-raw,format=I420 ! %s ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )",
        camera, width, height, encoder);
}

static GMutex lock;
static GscapCamera *photos; /* the photo branch of the running pipeline, guarded by `lock`; NULL while nobody watches */

static GscapCamera *set_photos(GscapCamera *camera) { /* returns the former one */
    g_mutex_lock(&lock);
    GscapCamera *former = photos;
    photos = camera;
    g_mutex_unlock(&lock);
    return former;
}

static gboolean store(gpointer photo) { /* in the main loop */
    GscapReceipt receipt = GSCAP_RECEIPT_INIT;
    size_t size = 0;
    const char *bytes = gscap_photo_get_bytes(photo, &size);
    char *path = g_strdup_printf("%s/still-%" G_GUINT64_FORMAT ".jpg", output, gscap_photo_get_ticket(photo));
    GError *error = NULL;
    if (!bytes) {
        g_printerr("no still: %s\n", gscap_photo_get_error(photo));
    } else if (!g_file_set_contents(path, bytes, size, &error)) {
        g_printerr("%s\n", error->message);
        g_error_free(error);
    } else if (gscap_photo_get_receipt(photo, &receipt) == GSCAP_OK) {
        g_print("%s %" G_GSIZE_FORMAT " bytes, %.2f s old\n", path, size, receipt.age);
    }
    g_free(path);
    return G_SOURCE_REMOVE;
}

/* Called on a thread of the elements, which a slow disk must not delay; the main loop stores the file. */
static void capture_event(GscapCamera *camera, const GscapEvent *event, void *data) {
    if (event->photo)
        g_idle_add_full(G_PRIORITY_DEFAULT, store, gscap_photo_ref(event->photo), (GDestroyNotify)gscap_photo_unref);
}

static void media_unprepared(GstRTSPMedia *media, gpointer data) {
    GscapCamera *camera = set_photos(NULL);
    if (camera && gscap_close(camera) != GSCAP_OK) g_printerr("%s\n", gscap_last_error());
}

/* The pipeline of the first client exists, and has not started. */
static void media_configure(GstRTSPMediaFactory *factory, GstRTSPMedia *media, gpointer data) {
    GstElement *bin = gst_rtsp_media_get_element(media), *tee = gst_bin_get_by_name(GST_BIN(bin), "raw");
    GscapCamera *camera = NULL;
    if (gscap_attach_tee(tee, NULL, &camera) == GSCAP_OK && gscap_set_callback(camera, capture_event, NULL, NULL) == 0)
        g_signal_connect(media, "unprepared", G_CALLBACK(media_unprepared), NULL);
    else
        g_printerr("no stills: %s\n", gscap_last_error());
    set_photos(camera);
    gst_object_unref(tee);
    gst_object_unref(bin);
}

static gboolean line(GIOChannel *input, GIOCondition condition, gpointer data) {
    char *text = NULL;
    uint64_t ticket = 0;
    if (g_io_channel_read_line(input, &text, NULL, NULL, NULL) != G_IO_STATUS_NORMAL) return G_SOURCE_REMOVE;
    g_free(text);
    g_mutex_lock(&lock); /* keeps the camera from being closed; the library refuses a press without blocking */
    if (!photos) g_printerr("no still: the camera is off, because nobody watches\n");
    else if (gscap_capture(photos, NULL, &ticket) != GSCAP_OK) g_printerr("no still: %s\n", gscap_last_error());
    g_mutex_unlock(&lock);
    return G_SOURCE_CONTINUE;
}

static gboolean quit(gpointer loop) { g_main_loop_quit(loop); return G_SOURCE_CONTINUE; }

static GstRTSPFilterResult disconnect(GstRTSPServer *server, GstRTSPClient *client, gpointer data) {
    return GST_RTSP_FILTER_REMOVE;
}

int main(int argc, char **argv) {
    GOptionContext *context = g_option_context_new("- RTSP server of a RAW camera; Return takes a still");
    g_option_context_add_main_entries(context, options, NULL);
    g_option_context_add_group(context, gst_init_get_option_group());
    GError *error = NULL;
    if (!g_option_context_parse(context, &argc, &argv, &error)) return g_printerr("%s\n", error->message), 64;
    GstRTSPServer *server = gst_rtsp_server_new();
    GstRTSPMediaFactory *factory = gst_rtsp_media_factory_new();
    char *service = g_strdup_printf("%d", port), *text = pipeline_text();
    gst_rtsp_server_set_address(server, "127.0.0.1");
    gst_rtsp_server_set_service(server, service);
    gst_rtsp_media_factory_set_launch(factory, text);
    gst_rtsp_media_factory_set_shared(factory, TRUE);
    g_signal_connect(factory, "media-configure", G_CALLBACK(media_configure), NULL);
    GstRTSPMountPoints *mounts = gst_rtsp_server_get_mount_points(server);
    gst_rtsp_mount_points_add_factory(mounts, "/camera", factory);
    if (!gst_rtsp_server_attach(server, NULL)) return g_printerr("port %d cannot be opened\n", port), 69;
    g_print("rtsp://127.0.0.1:%d/camera\n", gst_rtsp_server_get_bound_port(server));
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    g_unix_signal_add(SIGINT, quit, loop);
    g_unix_signal_add(SIGTERM, quit, loop);
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, line, NULL);
    g_main_loop_run(loop);
    gst_rtsp_server_client_filter(server, disconnect, NULL); /* the last client ends the pipeline */
    return 0;
}
