#include "tests/cuda/support/executors.h"

#include "cuda/executor/simt/simt_executor.h"

#include <iostream>
#include <set>

namespace headroom::cuda {
namespace {

void add(std::vector<NamedExecutor>& list, ExecutorKind kind)
{
    if (const std::string reason = why_absent(kind); reason.empty())
        list.push_back({std::string(name(kind)), [kind] { return make_executor(kind); }});
    else if (static std::set<ExecutorKind> told; told.insert(kind).second)
        std::cout << "without the " << name(kind) << " executor: " << reason << "\n";
}

} // namespace

std::vector<NamedExecutor> simt_executors()
{
    using simt::Copies, simt::Schedule;
    std::vector<NamedExecutor> list;
    for (const auto& [schedule, text] : {std::pair{Schedule::forward, "forward"},
                                         {Schedule::reverse, "reverse"},
                                         {Schedule::ahead, "ahead"},
                                         {Schedule::behind, "behind"},
                                         {Schedule::random, "random"}})
        for (const Copies copies : {Copies::lazy, Copies::eager})
            list.push_back({std::string("simt ") + text + (copies == Copies::lazy ? " lazy" : " eager"),
                            [schedule = schedule, copies] {
                                return std::make_unique<SimtExecutor>(
                                    simt::Options{.schedule = schedule, .seed = 11, .copies = copies});
                            }});
    return list;
}

std::vector<NamedExecutor> every_executor()
{
    std::vector<NamedExecutor> list = simt_executors();
    add(list, ExecutorKind::ptx);
    add(list, ExecutorKind::device);
    return list;
}

std::vector<NamedExecutor> hopper_executors()
{
    std::vector<NamedExecutor> list = simt_executors();
    add(list, ExecutorKind::device);
    return list;
}

} // namespace headroom::cuda
