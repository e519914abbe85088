#pragma once

/// Renames a file to a path that must not exist. Returns 0, or -1 with errno set.
///
/// In C because Swift's module of glibc lacks renameat2().
int gscap_rename_new(const char *from, const char *to);
