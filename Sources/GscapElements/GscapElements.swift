// GscapElements
