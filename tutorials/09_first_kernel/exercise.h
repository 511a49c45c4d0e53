// What a block's 128 threads call together: each brings a number, each gets the sum of all.
#pragma once

float block_sum(float mine);
