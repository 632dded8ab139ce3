// Dat3M, benchmarks/opencl/benchmarks/caslock-sc: the same lock by the functions of OpenCL C 1.0, on plain words.

#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable

kernel void mutex(volatile global uint *lock, global uint *sum, global uint *seen)
{
    uint value;

    while (atom_cmpxchg(lock, 0, 1) == 1)
        ;
    value = *sum;
    *sum = value + 1;
    atom_xchg(lock, 0);
    seen[get_global_id(0)] = value;
}
