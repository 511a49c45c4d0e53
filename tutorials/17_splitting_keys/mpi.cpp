// The same step on processes that share no memory: each is one rank, and what they exchange goes through MPI.
//
//     mpirun -n 3 17_splitting_keys_mpi        1 x 3: the keys on three ranks
//     mpirun -n 4 17_splitting_keys_mpi 2      2 x 2: query heads in two rows, keys in two columns
#include "tutorials/17_splitting_keys/split.h"

#include <cstdlib>
#include <mpi.h>

using namespace headroom;

struct Message { // one query head's state, as it travels
    double max, sum, weighted[D];
};

Message packed(const OnlineSoftmax& state)
{
    Message message{state.max(), state.sum(), {}};
    std::ranges::copy(state.weighted(), message.weighted);
    return message;
}
OnlineSoftmax unpacked(const Message& message) { return {message.max, message.sum, message.weighted}; }

// What MPI calls wherever two parts meet: in which order and on which machine is its affair.
void merge(void* from, void* into, int* count, MPI_Datatype*)
{
    const auto* theirs = static_cast<const Message*>(from);
    auto* ours = static_cast<Message*>(into);
    for (int i = 0; i < *count; ++i) {
        OnlineSoftmax state = unpacked(ours[i]);
        state.merge(unpacked(theirs[i]));
        ours[i] = packed(state);
    }
}

double merged_over_ranks(const Step& step, const Grid& grid, Index rank)
{
    const Index row = rank / grid.key_ranks, column = rank % grid.key_ranks;
    std::vector<Message> messages;
    for (const OnlineSoftmax& state : part(step, grid, row, column)) messages.push_back(packed(state));

    MPI_Comm same_heads;
    MPI_Comm_split(MPI_COMM_WORLD, int(row), int(column), &same_heads);
    MPI_Datatype type;
    MPI_Type_contiguous(D + 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Op operation;
    MPI_Op_create(merge, 1, &operation);
    MPI_Allreduce(MPI_IN_PLACE, messages.data(), int(messages.size()), type, operation, same_heads);

    Part merged;
    for (const Message& message : messages) merged.push_back(unpacked(message));
    double own = difference(merged, part(step, {1, 1}, 0, 0), grid, row), worst = 0;
    MPI_Allreduce(&own, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Index head_ranks = argc > 1 ? std::atoi(argv[1]) : 1, S = argc > 2 ? std::atoi(argv[2]) : 1000;
    const bool possible = head_ranks > 0 && S > 0 && H % head_ranks == 0 && ranks % head_ranks == 0;
    double worst = 0;
    if (possible) {
        const Grid grid{head_ranks, ranks / head_ranks};
        worst = merged_over_ranks(random_step(S), grid, rank);
        if (rank == 0) print(grid, S, worst);
    } else if (rank == 0) {
        fmt::print(stderr, "the rows of the grid must divide {} heads and {} ranks\n", H, ranks);
    }
    MPI_Finalize();
    return !possible ? 2 : worst <= 1e-12 ? 0 : 1;
}
