// GSCapture
