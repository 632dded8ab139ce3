/* A part of a driver whose thread looks up every now and then, as NVIDIA's does, and never does anything. */
#include <poll.h>
#include <pthread.h>

static void *look_up(void *none)
{
    for (;;)
        poll(NULL, 0, 50);
    return none;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, look_up, NULL);
}
