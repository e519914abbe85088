/* fields.c: values of structures and properties, and requests as structures. */
#include "gscap-private.h"

#include <math.h>
#include <string.h>

gboolean gscap_copy_struct(gpointer target, size_t size, gconstpointer source) {
    /* A later version, with fields added at the end, also accepts the sizes of the versions before it. */
    if (!source || *(const size_t *)source != size) return FALSE;
    memcpy(target, source, size);
    return TRUE;
}

gboolean gscap_is_text(const char *text) { return text && g_utf8_validate(text, -1, NULL); }

/* Converts a number of any type; returns whether the value is a number. */
static gboolean to_number(const GValue *value, double *number) {
    GValue converted = G_VALUE_INIT;
    if (!value || G_VALUE_HOLDS_STRING(value) || !g_value_type_transformable(G_VALUE_TYPE(value), G_TYPE_DOUBLE))
        return FALSE;
    g_value_init(&converted, G_TYPE_DOUBLE);
    gboolean is_number = g_value_transform(value, &converted);
    if (is_number) *number = g_value_get_double(&converted);
    g_value_unset(&converted);
    return is_number;
}

gboolean gscap_get_number(const GstStructure *structure, const char *field, double *number) {
    return to_number(gst_structure_get_value(structure, field), number);
}

gboolean gscap_get_count(const GstStructure *structure, const char *field, guint64 *count) {
    if (gst_structure_get_uint64(structure, field, count)) return TRUE;
    double number = 0;
    /* A double holds every integer below 2^53. */
    if (!gscap_get_number(structure, field, &number) || !(number >= 0) || number > 9007199254740992.0) return FALSE;
    *count = (guint64)number;
    return TRUE;
}

static gboolean is_set_text(GstStructure *structure, const char *field, const char *text) {
    if (!text) return TRUE;
    if (!gscap_is_text(text)) {
        gscap_fail(GSCAP_ERROR_ARGUMENT, "%s is not valid UTF-8", field);
        return FALSE;
    }
    gst_structure_set(structure, field, G_TYPE_STRING, text, NULL);
    return TRUE;
}

/* Sets the field unless the number means that it is absent; the element checks the range. */
static void set_number(GstStructure *structure, const char *field, double number, double absent) {
    if (number != absent) gst_structure_set(structure, field, G_TYPE_DOUBLE, number, NULL);
}

static void set_integer(GstStructure *structure, const char *field, int number) {
    if (number != 0) gst_structure_set(structure, field, G_TYPE_INT, number, NULL);
}

static gboolean is_set_bracket(GstStructure *structure, const GscapRequest *request) {
    if (!request->bracket && request->bracket_count == 0) return TRUE;
    if (!request->bracket || request->bracket_count == 0 || request->bracket_count > 64) {
        gscap_fail(
            GSCAP_ERROR_ARGUMENT, "bracket and bracket_count do not fit: give 1 to 64 numbers, or NULL and 0");
        return FALSE;
    }
    GValue array = G_VALUE_INIT;
    g_value_init(&array, GST_TYPE_ARRAY);
    for (size_t i = 0; i < request->bracket_count; i++) {
        GValue exposure = G_VALUE_INIT;
        g_value_init(&exposure, GST_TYPE_STRUCTURE);
        g_value_take_boxed(
            &exposure,
            gst_structure_new("exposure", GSCAP_REQUEST_EXPOSURE_BIAS, G_TYPE_DOUBLE, request->bracket[i], NULL));
        gst_value_array_append_and_take_value(&array, &exposure);
    }
    gst_structure_take_value(structure, GSCAP_REQUEST_BRACKET, &array);
    return TRUE;
}

static gboolean copy_field(GQuark field, const GValue *value, gpointer target) {
    gst_structure_id_set_value(target, field, value);
    return TRUE;
}

static void set_location(GstStructure *structure, const GscapRequest *request) {
    if (request->location == 0) return;
    gst_structure_set(
        structure, GSCAP_REQUEST_LATITUDE, G_TYPE_DOUBLE, request->latitude, GSCAP_REQUEST_LONGITUDE, G_TYPE_DOUBLE,
        request->longitude, NULL);
    if (request->location > 1)
        gst_structure_set(structure, GSCAP_REQUEST_ALTITUDE, G_TYPE_DOUBLE, request->altitude, NULL);
}

static void set_times(GstStructure *structure, const GscapRequest *request) {
    if (request->time != GSCAP_NOW)
        gst_structure_set(structure, GSCAP_REQUEST_TIME, G_TYPE_UINT64, request->time, NULL);
    if (!(request->tolerance < 0))
        gst_structure_set(structure, GSCAP_REQUEST_TOLERANCE, G_TYPE_DOUBLE, request->tolerance, NULL);
    if (request->zero_shutter_lag >= 0)
        gst_structure_set(
            structure, GSCAP_REQUEST_ZERO_SHUTTER_LAG, G_TYPE_BOOLEAN, request->zero_shutter_lag != 0, NULL);
}

GstStructure *gscap_request_structure(const GscapRequest *given) {
    GscapRequest request = GSCAP_REQUEST_INIT;
    if (given && !gscap_copy_struct(&request, sizeof request, given)) {
        gscap_fail(GSCAP_ERROR_ARGUMENT, "the request is not initialised with GSCAP_REQUEST_INIT");
        return NULL;
    }
    GstStructure *structure = gst_structure_new_empty("capture");
    set_integer(structure, GSCAP_REQUEST_FRAMES, request.frames);
    set_times(structure, &request);
    set_number(structure, GSCAP_REQUEST_EXPOSURE_TIME, request.exposure_time, 0);
    set_number(structure, GSCAP_REQUEST_ISO, request.iso, 0);
    set_number(structure, GSCAP_REQUEST_EXPOSURE_BIAS, request.exposure_bias, 0);
    set_number(structure, GSCAP_REQUEST_WHITE_TEMPERATURE, request.white_temperature, 0);
    set_number(structure, GSCAP_REQUEST_WHITE_TINT, request.white_tint, 0);
    set_number(structure, GSCAP_REQUEST_CROP_FACTOR, request.crop_factor, 0);
    set_integer(structure, GSCAP_REQUEST_ORIENTATION, request.orientation);
    set_location(structure, &request);
    if (request.every_frame)
        gst_structure_set(structure, GSCAP_REQUEST_EVERY_FRAME, G_TYPE_BOOLEAN, TRUE, NULL);
    if (request.nearest)
        gst_structure_set(structure, GSCAP_REQUEST_NEAREST, G_TYPE_BOOLEAN, TRUE, NULL);
    if (request.fuse_bracket)
        gst_structure_set(structure, GSCAP_REQUEST_FUSE_BRACKET, G_TYPE_BOOLEAN, TRUE, NULL);
    if (!is_set_text(structure, GSCAP_REQUEST_FUSION_MODE, request.fusion_mode)
        || !is_set_text(structure, GSCAP_REQUEST_FORMATS, request.formats)
        || !is_set_text(structure, GSCAP_REQUEST_FLASH, request.flash)
        || !is_set_text(structure, GSCAP_REQUEST_PRIORITY, request.priority)
        || !is_set_text(structure, GSCAP_REQUEST_ARTIST, request.artist)
        || !is_set_text(structure, GSCAP_REQUEST_TITLE, request.title)
        || !is_set_text(structure, GSCAP_REQUEST_COPYRIGHT, request.copyright)
        || !is_set_bracket(structure, &request)) {
        gst_structure_free(structure);
        return NULL;
    }
    if (request.fields) gst_structure_foreach(request.fields, copy_field, structure);
    return structure;
}

gboolean gscap_get_property(GstElement *element, const char *name, double *number) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(element), name);
    if (!property || !(property->flags & G_PARAM_READABLE)) return FALSE;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, property->value_type);
    g_object_get_property(G_OBJECT(element), name, &value);
    gboolean is_number = to_number(&value, number);
    g_value_unset(&value);
    return is_number;
}

/* Converts a value to the type of a property. An enumeration has its nicks as text. */
static gboolean convert(const GValue *given, GValue *value) {
    if (G_VALUE_HOLDS_STRING(given) && G_VALUE_HOLDS_ENUM(value))
        return gst_value_deserialize(value, g_value_get_string(given));
    return g_value_transform(given, value);
}

/* Sets a property to a value of another type, which is checked first, because GObject prints what it cannot set. */
static GscapStatus set_property(GstElement *bin, const char *name, const GValue *given) {
    GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(bin), name);
    if (!property)
        return gscap_fail(
            GSCAP_ERROR_PLUGIN, "the element gscapphotobin has no property %s: install a newer gstreamer1.0-gscap",
            name);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, property->value_type);
    char *text = g_strdup_value_contents(given);
    GscapStatus status = GSCAP_OK;
    if (!convert(given, &value))
        status = gscap_fail(GSCAP_ERROR_ARGUMENT, "%s cannot be %s", name, text);
    else if (g_param_value_validate(property, &value))
        status = gscap_fail(
            GSCAP_ERROR_ARGUMENT, "%s cannot be %s: gst-inspect-1.0 gscapphotobin lists the range", name, text);
    else
        g_object_set_property(G_OBJECT(bin), name, &value);
    g_free(text);
    g_value_unset(&value);
    return status;
}

static GscapStatus set_text_property(GstElement *bin, const char *name, const char *text) {
    if (!text) return GSCAP_OK;
    if (!gscap_is_text(text)) return gscap_fail(GSCAP_ERROR_ARGUMENT, "%s is not valid UTF-8", name);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_STRING);
    g_value_set_string(&value, text);
    GscapStatus status = set_property(bin, name, &value);
    g_value_unset(&value);
    return status;
}

static GscapStatus set_number_property(GstElement *bin, const char *name, double number, gboolean is_given) {
    if (!is_given) return GSCAP_OK;
    if (!isfinite(number) || fabs(number) > 2147483647.0)
        return gscap_fail(GSCAP_ERROR_ARGUMENT, "%s is out of range", name);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, number);
    return set_property(bin, name, &value);
}

GscapStatus gscap_apply_options(GstElement *bin, const GscapOptions *options) {
    GscapStatus status = set_text_property(bin, GSCAP_PROPERTY_FORMATS, options->formats);
    if (!status) status = set_number_property(bin, GSCAP_PROPERTY_QUALITY, options->quality, !(options->quality < 0));
    if (!status) status = set_number_property(bin, GSCAP_PROPERTY_FRAMES, options->frames, options->frames != 0);
    if (!status) status = set_text_property(bin, GSCAP_PROPERTY_FUSION_MODE, options->fusion_mode);
    if (!status)
        status = set_number_property(bin, GSCAP_PROPERTY_MAX_QUEUED, options->max_queued, options->max_queued != 0);
    if (!status) status = set_number_property(bin, GSCAP_PROPERTY_DEADLINE, options->deadline, options->deadline != 0);
    if (!status) status = set_text_property(bin, GSCAP_PROPERTY_LOCATION, options->location);
    return status;
}
