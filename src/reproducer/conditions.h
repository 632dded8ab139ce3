/* A text without the conditions of our own macros: what a person reads has only the lines that count. */
#pragma once

/*
 * The lines that stay where "#if" and the like ask for macros whose names begin with "GL_" or "OF_": these have the
 * values that options of a build ("-DNAME=VALUE -DNAME") give them, which also take the places of their names, and
 * others are not defined. Conditions that ask for anything else stay as they are. Allocated.
 */
char *conditions_resolve(const char *text, const char *options);
