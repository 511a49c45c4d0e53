#include "cuda/plugin_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <limits>
#include <pthread.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace headroom::cuda {
namespace {

using Bytes = std::vector<char>;

// All or nothing; false where the other side is gone, or silent for too long: then errno is EAGAIN.
bool give(int socket, const void* from, std::size_t bytes)
{
    for (const char* at = static_cast<const char*>(from); bytes;) {
        errno = 0; // an end of file leaves it
        const ssize_t n = send(socket, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n, bytes -= static_cast<std::size_t>(n);
    }
    return true;
}
bool take(int socket, void* to, std::size_t bytes)
{
    for (char* at = static_cast<char*>(to); bytes;) {
        errno = 0;
        const ssize_t n = recv(socket, at, bytes, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n, bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

// What travels with a problem, in this order, and with an answer.
struct Sizes {
    std::size_t q, k, v, lengths, output, lse;
};
Sizes sizes(const HeadroomProblem& p)
{
    const auto bytes = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const std::int64_t each = p.type == HEADROOM_F32 ? 4 : 2;
    return {bytes(p.B * p.H * p.L * p.D * each),    bytes(p.B * p.Hkv * p.S * p.D * each),
            bytes(p.B * p.Hkv * p.S * p.Dv * each), bytes(p.B * 8),
            bytes(p.B * p.H * p.L * p.Dv * 4),      bytes(p.B * p.H * p.L * 4)};
}

// How a call or the loading ended, before what it left behind.
struct Reply {
    std::int64_t returned = 0;
    char text[500] = {}; // why there is no answer; a plugin's name
};
void write_text(Reply& reply, const std::string& text)
{
    std::snprintf(reply.text, sizeof reply.text, "%s", text.c_str());
    for (char& c : reply.text)
        if (c && (c < ' ' || c > '~')) c = ' ';
}

struct Functions {
    const char* (*name)();
    int (*attend)(const HeadroomProblem*);
};

Functions load(const std::filesystem::path& library)
{
    void* handle = dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::invalid_argument(dlerror());
    const auto symbol = [&](const char* name) {
        if (void* found = dlsym(handle, name)) return found;
        throw std::invalid_argument(library.string() + " has no function " + name + " (see cuda/plugin.h)");
    };
    return {reinterpret_cast<const char* (*)()>(symbol("headroom_plugin_name")),
            reinterpret_cast<int (*)(const HeadroomProblem*)>(symbol("headroom_plugin_attention"))};
}

std::string checked(const char* name)
{
    if (!name) throw std::invalid_argument("headroom_plugin_name returns NULL");
    const std::string text = name;
    if (text.empty()) throw std::invalid_argument("headroom_plugin_name returns an empty name");
    if (text.size() > 100) throw std::invalid_argument("headroom_plugin_name returns more than 100 characters");
    for (const char c : text)
        if (c < ' ' || c > '~')
            throw std::invalid_argument("headroom_plugin_name returns characters that are not printable ASCII");
    return text;
}

// Calls `work` and turns whatever it throws into the reply's text.
template <class Work> bool returns(Reply& reply, Work work)
{
    try {
        work();
        return true;
    } catch (const std::exception& error) {
        write_text(reply, *error.what() ? error.what() : "it threw an exception without words");
    } catch (...) {
        write_text(reply, "it threw something that is no std::exception");
    }
    return false;
}

// A plugin may start processes, or fork and return twice: only the process that was asked answers.
int answers_go_to = -1;
void close_in_child() { close(answers_go_to); }

// The process itself: loads, tells its name, answers problems until nobody asks.
[[noreturn]] void serve(int socket, const std::filesystem::path& library)
{
    setpgid(0, 0);                      // with the processes that it starts: they end together
    prctl(PR_SET_PDEATHSIG, SIGKILL);   // and not later than who asks
    dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is the report's
    answers_go_to = socket;
    pthread_atfork(nullptr, nullptr, close_in_child);
    const auto leave_unless_asked = [self = getpid()] {
        if (getpid() != self) _exit(0);
    };
    for (const int fatal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) std::signal(fatal, SIG_DFL); // tests catch them
    Functions plugin{};
    Reply hello;
    const bool loaded = returns(hello, [&] {
        plugin = load(library);
        write_text(hello, checked(plugin.name()));
    });
    leave_unless_asked();
    hello.returned = loaded;
    give(socket, &hello, sizeof hello);
    for (HeadroomProblem p; loaded && take(socket, &p, sizeof p);) {
        const Sizes n = sizes(p);
        Bytes q(n.q), k(n.k), v(n.v);
        std::vector<std::int64_t> lengths(n.lengths / 8);
        std::vector<float> output(n.output / 4, std::numeric_limits<float>::quiet_NaN());
        std::vector<float> lse(n.lse / 4, std::numeric_limits<float>::quiet_NaN());
        if (!take(socket, q.data(), n.q) || !take(socket, k.data(), n.k) || !take(socket, v.data(), n.v) ||
            !take(socket, lengths.data(), n.lengths))
            break;
        p.q = q.data(), p.k = k.data(), p.v = v.data(), p.kv_lengths = lengths.data();
        p.output = output.data(), p.lse = lse.data();
        Reply reply;
        returns(reply, [&] { reply.returned = plugin.attend(&p); });
        leave_unless_asked();
        if (!give(socket, &reply, sizeof reply) || !give(socket, output.data(), n.output) ||
            !give(socket, lse.data(), n.lse))
            break;
    }
    _exit(0);
}

} // namespace

PluginProcess::PluginProcess(std::filesystem::path library, int patience)
    : library_(std::move(library)), patience_(patience)
{
    start();
}

PluginProcess::~PluginProcess()
{
    if (process_ > 0) end();
}

void PluginProcess::start()
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("no socket for the plugin's process");
    std::fflush(nullptr); // else what is waiting to be written is written twice
    process_ = fork();
    if (process_ == 0) {
        close(ends[0]);
        serve(ends[1], library_);
    }
    close(ends[1]);
    if (process_ > 0) setpgid(process_, process_); // here too: whoever comes first
    socket_ = ends[0];
    if (process_ < 0) {
        close(socket_);
        throw std::runtime_error("no process for the plugin");
    }
    const timeval limit{.tv_sec = patience_, .tv_usec = 0};
    for (const int way : {SO_RCVTIMEO, SO_SNDTIMEO}) setsockopt(socket_, SOL_SOCKET, way, &limit, sizeof limit);
    Reply hello;
    if (!take(socket_, &hello, sizeof hello))
        throw std::invalid_argument("--plugin: loading " + library_.string() + ": " + end(errno == EAGAIN));
    if (!hello.returned) {
        end();
        throw std::invalid_argument("--plugin: " + std::string(hello.text));
    }
    name_ = hello.text;
}

std::string PluginProcess::end(bool silent)
{
    using namespace std::chrono;
    close(socket_);
    const auto ended = [this] {
        siginfo_t how{};
        return waitid(P_PID, static_cast<id_t>(process_), &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid;
    };
    bool alive = !ended();
    const seconds while_it_ends(patience_ > 0 ? std::min(patience_, 5) : 5);
    for (const auto limit = steady_clock::now() + while_it_ends; !silent && alive && steady_clock::now() < limit;
         alive = !ended())
        std::this_thread::sleep_for(1ms); // it is crashing, or finds that nobody asks any more
    for (const pid_t whom : {process_, -process_}) kill(whom, SIGKILL); // and what it started
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (silent && alive) return "it hung: ended after " + std::to_string(patience_) + " seconds";
    if (alive) return "it closed the connection to this program, but went on: ended";
    if (!WIFSIGNALED(status)) return "it ended its process with exit code " + std::to_string(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    return "it crashed: " + std::string(strsignal(signal)) + " (signal " + std::to_string(signal) + ")";
}

int PluginProcess::attend(const HeadroomProblem& p)
{
    if (process_ < 0) start();
    const Sizes n = sizes(p);
    Reply reply;
    if (!give(socket_, &p, sizeof p) || !give(socket_, p.q, n.q) || !give(socket_, p.k, n.k) ||
        !give(socket_, p.v, n.v) || !give(socket_, p.kv_lengths, n.lengths) || !take(socket_, &reply, sizeof reply) ||
        !take(socket_, p.output, n.output) || !take(socket_, p.lse, n.lse))
        throw std::runtime_error("the plugin did not return: " + end(errno == EAGAIN));
    if (reply.text[0]) throw std::runtime_error("the plugin did not return: " + std::string(reply.text));
    return static_cast<int>(reply.returned);
}

} // namespace headroom::cuda
