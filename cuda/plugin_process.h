// A user's shared object in a process of its own: what crashes, exits, throws or prints there harms nobody here.
#pragma once
#include "cuda/plugin.h"

#include <filesystem>
#include <string>
#include <sys/types.h>

namespace headroom::cuda {

class PluginProcess {
public:
    // What says nothing for so many seconds is ended. Throws std::invalid_argument if the library is no plugin.
    PluginProcess(std::filesystem::path library, int patience);
    PluginProcess(const PluginProcess&) = delete;
    PluginProcess& operator=(const PluginProcess&) = delete;
    ~PluginProcess();
    const std::string& name() const { return name_; } // 1 to 100 printable characters

    // Writes problem.output and problem.lse and returns what the plugin returned, a HeadroomResult. Throws
    // std::runtime_error where it did not return; the next call starts it anew.
    int attend(const HeadroomProblem& problem);

private:
    void start();
    std::string end(bool silent = false); // and how it ended: "it crashed: Segmentation fault (signal 11)"
    std::filesystem::path library_;
    int patience_; // seconds
    std::string name_;
    int socket_ = -1;
    pid_t process_ = -1;
};

} // namespace headroom::cuda
