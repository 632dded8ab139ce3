/* What the program that holds a driver to a promise is made of, for each act. */
#pragma once

#include "promise/promise.h"
#include "reproducer/reproducer.h"

/* What the program for an act is made of: a kernel, and templates with what they are told beside the numbers. */
struct recipe {
    enum promise_act act;
    const char *kernel;
    const char *parts[3]; /* NULL: no more of them */
    const char *told;
};

/* NULL: there is no program for its act. */
const struct recipe *recipe_of(const struct audit_row *row);

/* It was this call, kernel or function that did not do as promised. */
bool recipe_has_failed_in(const struct audit_row *row, const char *name);

/* As options of a build: what the kernel is built with, and what templates ask for. */
enum { RECIPE_NUMBERS = 1024 };
void recipe_write_numbers(const struct reproduced_promise *reproduced, const struct recipe *recipe,
                          char text[RECIPE_NUMBERS]);
