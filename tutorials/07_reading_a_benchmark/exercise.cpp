#include "tutorials/07_reading_a_benchmark/exercise.h"

std::string what_was_timed(double latency_ms, double tokens_per_second, int batch, int /*length*/)
{
    // TODO: what does the product count, in which unit, and must it be one of the two?
    const double tokens = latency_ms * tokens_per_second;
    return tokens > batch ? "prefill" : "decode step";
}
