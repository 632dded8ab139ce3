/*
 * As relax.c, with opencl.hpp (Debian: opencl-clhpp-headers): g++ -std=c++11 relax.cpp -lOpenCL && ./a.out [GROUPS]
 *
 * gridlock_launch.h takes OpenCL's own handles, which the classes of opencl.hpp give by operator().
 */
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include "gridlock_launch.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const std::size_t items = 64;

/* Launches a kernel all of whose groups wait for each other; throws what kept it from its end. */
gl_report launch(const cl::CommandQueue &queue, const cl::Kernel &kernel, std::size_t groups)
{
    const std::size_t global = items * groups;
    gl_report report;

    if (gl_launch_cooperative(queue(), kernel(), 1, &global, &items, nullptr, &report) != GRIDLOCK_OK)
        throw std::runtime_error(report.text);
    return report;
}

std::string read_file(const char *name)
{
    std::ifstream file(name);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

    if (text.empty())
        throw std::runtime_error(std::string(name) + " cannot be read here");
    return text;
}

void relax(int count, char **arguments)
{
    const cl_uint cells = 4096, steps = 1000;
    const cl::Device device = cl::Device::getDefault();
    const cl::Context context(device);
    const cl::CommandQueue queue(context, device);
    const cl::Program program(context, read_file("relax.cl"));
    std::vector<float> rod(cells);
    cl_uint resident = 0;

    rod[0] = 1;
    program.build("-I .");
    cl::Kernel kernel(program, "relax");
    const cl::Buffer even(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, cells * sizeof(float), rod.data());
    const cl::Buffer odd(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, cells * sizeof(float), rod.data());
    kernel.setArg(1, cl_uint(0));
    kernel.setArg(2, steps);
    kernel.setArg(3, even);
    kernel.setArg(4, odd);
    kernel.setArg(5, cells);

    if (gl_resident(queue(), kernel(), 1, &items, &resident) != CL_SUCCESS)
        throw std::runtime_error("how many groups fit cannot be counted");
    std::cout << resident << " groups of " << items << " work-items fit at once\n";
    const gl_report report = launch(queue, kernel, count > 1 ? std::stoul(arguments[1]) : resident);
    queue.enqueueReadBuffer(even, CL_TRUE, 0, cells * sizeof(float), rod.data());
    std::cout << report.groups << " groups, " << steps << " steps: cell 1 has " << rod[1] << "\n";
}

} // namespace

int main(int count, char **arguments)
{
    try {
        relax(count, arguments);
    } catch (const std::exception &error) {
        std::cerr << "relax: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
