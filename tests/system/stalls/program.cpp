// Launches a kernel of a file, and reads its result: program FILE KERNEL GROUPS ITEMS [DRIVER]
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

int main(int count, char **words)
{
    std::ifstream file(words[1]);
    const std::string text{std::istreambuf_iterator<char>(file), {}}, driver = count > 5 ? words[5] : "Portable";
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;

    cl::Platform::get(&platforms);
    for (const auto &platform : platforms)
        if (platform.getInfo<CL_PLATFORM_NAME>().find(driver) != std::string::npos)
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    if (devices.empty())
        return 77;
    cl::Context context(devices.front());
    cl::CommandQueue queue(context, devices.front());
    cl::Program program(context, text);
    program.build("");
    cl::Kernel kernel(program, words[2]);
    std::vector<int> values(64);
    cl::Buffer memory(context, values.begin(), values.end(), false);
    const int groups = std::stoi(words[3]), local = std::stoi(words[4]);
    kernel.setArg(0, memory);
    kernel.setArg(1, groups);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * local), cl::NDRange(local));
    std::cout << "launched" << std::endl;
    queue.enqueueReadBuffer(memory, CL_TRUE, 0, sizeof(int) * values.size(), values.data());
}
