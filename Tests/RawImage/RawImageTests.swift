// RawImage
