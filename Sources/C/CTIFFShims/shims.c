#include "CTIFFShims.h"

#include <stdarg.h>
#include <stdio.h>

// Error handler: stores the first message in the log.
static int store_first_error(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    GscapTiffLog *log = data;
    if (log->error[0] == 0) vsnprintf(log->error, sizeof log->error, format, arguments);
    return 1;
}

// Warning handler: discards the message.
static int discard_warning(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)data;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

// Close function for TIFFClientOpenExt: the client owns its I/O object.
static int ignore_close(thandle_t client) {
    (void)client;
    return 0;
}

TIFF *gscap_tiff_open(
    const char *mode, void *client, TIFFReadWriteProc read, TIFFReadWriteProc write, TIFFSeekProc seek,
    TIFFSizeProc size, GscapTiffLog *log) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, store_first_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(options, discard_warning, NULL);
    TIFF *tiff =
        TIFFClientOpenExt("DNG", mode, client, read, write, seek, ignore_close, size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

TIFF *gscap_tiff_open_file(const char *path, tmsize_t maximum_allocation, GscapTiffLog *log) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximum_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, store_first_error, log);
    TIFFOpenOptionsSetWarningHandlerExtR(options, discard_warning, NULL);
    TIFF *tiff = TIFFOpenExt(path, "r", options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

// DNG tags that libtiff 4 does not define, sorted by tag: tag, read count, write count, type, field bit, whether the
// tag can be changed after writing has started, whether set and get pass a count, and name.
static const TIFFFieldInfo dng_fields[] = {
    {50936, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "ProfileName"},
    {50937, 3, 3, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ProfileHueSatMapDims"},
    {50938, -3, -3, TIFF_FLOAT, FIELD_CUSTOM, 1, 1, "ProfileHueSatMapData1"},
    {50939, -3, -3, TIFF_FLOAT, FIELD_CUSTOM, 1, 1, "ProfileHueSatMapData2"},
    {50940, -1, -1, TIFF_FLOAT, FIELD_CUSTOM, 0, 1, "ProfileToneCurve"},
    {50941, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ProfileEmbedPolicy"},
    {50964, -1, -1, TIFF_SRATIONAL, FIELD_CUSTOM, 0, 1, "ForwardMatrix1"},
    {50965, -1, -1, TIFF_SRATIONAL, FIELD_CUSTOM, 0, 1, "ForwardMatrix2"},
    {50966, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "PreviewApplicationName"},
    {50967, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "PreviewApplicationVersion"},
    {50970, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "PreviewColorSpace"},
    {50971, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "PreviewDateTime"},
    {50975, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "RowInterleaveFactor"},
    {50981, 3, 3, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ProfileLookTableDims"},
    {50982, -3, -3, TIFF_FLOAT, FIELD_CUSTOM, 1, 1, "ProfileLookTableData"},
    {51008, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "OpcodeList1"},
    {51009, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "OpcodeList2"},
    {51022, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "OpcodeList3"},
    {51041, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 0, 1, "NoiseProfile"},
    {51107, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ProfileHueSatMapEncoding"},
    {51108, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ProfileLookTableEncoding"},
    {51110, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "DefaultBlackRender"},
    {51111, 16, 16, TIFF_BYTE, FIELD_CUSTOM, 0, 0, "NewRawImageDigest"},
    {51177, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "DepthFormat"},
    {51178, 1, 1, TIFF_RATIONAL, FIELD_CUSTOM, 1, 0, "DepthNear"},
    {51179, 1, 1, TIFF_RATIONAL, FIELD_CUSTOM, 1, 0, "DepthFar"},
    {51180, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "DepthUnits"},
    {51181, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "DepthMeasureType"},
    {52525, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "ProfileGainTableMap"},
    {52526, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "SemanticName"},
    {52528, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "SemanticInstanceID"},
    {52529, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "CalibrationIlluminant3"},
    {52530, -1, -1, TIFF_SRATIONAL, FIELD_CUSTOM, 0, 1, "CameraCalibration3"},
    {52531, -1, -1, TIFF_SRATIONAL, FIELD_CUSTOM, 0, 1, "ColorMatrix3"},
    {52532, -1, -1, TIFF_SRATIONAL, FIELD_CUSTOM, 0, 1, "ForwardMatrix3"},
    {52533, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "IlluminantData1"},
    {52534, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "IlluminantData2"},
    {52535, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "IlluminantData3"},
    {52537, -3, -3, TIFF_FLOAT, FIELD_CUSTOM, 1, 1, "ProfileHueSatMapData3"},
    {52543, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "RGBTables"},
    {52544, -3, -3, TIFF_UNDEFINED, FIELD_CUSTOM, 0, 1, "ProfileGainTableMap2"},
    {52547, 1, 1, TIFF_LONG, FIELD_CUSTOM, 1, 0, "ColumnInterleaveFactor"},
};

int gscap_tiff_register_dng_tags(TIFF *tiff) {
    return TIFFMergeFieldInfo(tiff, dng_fields, sizeof dng_fields / sizeof dng_fields[0]) == 0;
}

void gscap_tiff_unset(TIFF *tiff, uint32_t tag) { TIFFUnsetField(tiff, tag); }

int gscap_tiff_set_pair(TIFF *tiff, uint32_t tag, uint16_t first, uint16_t second) {
    return TIFFSetField(tiff, tag, first, second);
}

int gscap_tiff_set_integer(TIFF *tiff, uint32_t tag, uint32_t value) { return TIFFSetField(tiff, tag, value); }

int gscap_tiff_set_offset(TIFF *tiff, uint32_t tag, uint64_t value) { return TIFFSetField(tiff, tag, value); }

int gscap_tiff_set_double(TIFF *tiff, uint32_t tag, double value) { return TIFFSetField(tiff, tag, value); }

int gscap_tiff_set_array(TIFF *tiff, uint32_t tag, const void *values) { return TIFFSetField(tiff, tag, values); }

int gscap_tiff_set_counted(TIFF *tiff, uint32_t tag, uint32_t count, const void *values) {
    return TIFFSetField(tiff, tag, count, values);
}
