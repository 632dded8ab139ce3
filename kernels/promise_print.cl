/*
 * kernel:  promise_print
 * purpose: each work-item prints its letter three times
 * needs:   nothing
 * fails:   it cannot
 * source:  gridlock
 */
kernel void promise_print(void)
{
    const int letter = 'A' + (int)get_global_id(0);

    printf("%c%c%c\n", letter, letter, letter);
}
