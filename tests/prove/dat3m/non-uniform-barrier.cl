// Dat3M, benchmarks/opencl/NonUniformBarrier: one work-item comes to the barrier. It ends where its group has no other.

kernel void test(global uint *word)
{
    if (get_global_id(0) == 0)
        barrier(CLK_GLOBAL_MEM_FENCE);
    word[get_global_id(0)] = 1;
}
