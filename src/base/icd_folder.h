/* The folder in which a worker names driver libraries to the OpenCL loader. */
#ifndef GRIDLOCK_BASE_ICD_FOLDER_H
#define GRIDLOCK_BASE_ICD_FOLDER_H

/*
 * The private folder of .icd files that a worker with this process id makes for the loader. Its
 * supervisor removes it, too, in case the worker died while drivers were being loaded.
 */
enum { ICD_FOLDER_FILES = 16, ICD_FOLDER_BYTES = 64 };
void icd_folder_name(long pid, char folder[ICD_FOLDER_BYTES]);
void icd_folder_remove(long pid);

#endif
