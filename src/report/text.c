#include "report/text.h"

#include "report/utf8.h"

void text_clean(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = utf8_length(text);
        if (length == 0 || (unsigned char)*text < ' ' || *text == 0x7f) {
            fputc('?', out);
            ++text;
        } else {
            fwrite(text, 1, length, out);
            text += length;
        }
    }
}
