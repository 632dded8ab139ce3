/*
 * What every file of a bundle is compiled with, by scripts/bundle: glibc has later versions of these functions, which
 * set errno in another way, but the bundle has to run with an earlier glibc. GLIBC_FIRST is its first on the machine.
 */
__asm__(".symver exp,exp@" GLIBC_FIRST);
__asm__(".symver pow,pow@" GLIBC_FIRST);
