#include "CGStreamerShims.h"

void gscap_log_warning(const gchar *message) {
    static GstDebugCategory *category = NULL;
    if (g_once_init_enter(&category)) {
        GstDebugCategory *created = NULL;
        GST_DEBUG_CATEGORY_INIT(created, "gscap", 0, "RAW still photography");
        g_once_init_leave(&category, created);
    }
    GST_CAT_WARNING(category, "%s", message);
}
