/* Files that a file of OpenCL C includes. */
#pragma once

/*
 * "SHA-256  PATH" of each that is included by a name in quotes and is there, beside the file that includes it, each on
 * a line; in the order in which they come, each once. Allocated.
 */
char *included_find(const char *path);
