/* A member of a JSON text, which SQLite reads. */
#pragma once

/*
 * Returns what stands at `path` ("$.here[0].device"), allocated: of a text what it says, of true and false 1 and 0,
 * else the JSON. NULL: there is nothing or null, or the text is no JSON.
 */
char *json_text_at(const char *json, const char *path);

/* Returns the same as JSON: a text in its quotes, and "null" for nothing; NULL: the text is no JSON. */
char *json_quoted_at(const char *json, const char *path);
