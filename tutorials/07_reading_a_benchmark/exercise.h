// What has a benchmark timed, if one run took so long and made so many tokens per second? "decode step": one token for
// each sequence; "prefill": all tokens of all sequences; "neither": something else. Published figures are rounded to 2 %.
#pragma once
#include <string>

std::string what_was_timed(double latency_ms, double tokens_per_second, int batch, int length);
