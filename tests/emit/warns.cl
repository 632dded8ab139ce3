/* A program of which every compiler warns. */
kernel void warns(global uint *words)
{
#warning "seen"
    words[0] = 1;
}
