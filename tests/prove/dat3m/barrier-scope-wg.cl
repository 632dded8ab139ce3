// Dat3M, benchmarks/opencl/barrier/scope/barrier-scope-wg: a barrier orders the work-items of its group only.

kernel void test(global uint *x, global uint *y)
{
    if (get_global_id(0) == 0)
        *x = 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 1)
        *y = *x;
}
