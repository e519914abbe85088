// DNG
