// The parts of the Kernel scene.
#pragma once
#include "viewer/scenes/kernel_reads.h"
#include "viewer/scenes/page.h"

namespace headroom {

struct KernelPicture {
    Picture& picture;
    const View& view;
    const Page& page;
    const TracedStep& step;
    const KernelChoice& choice;
    const KernelIndex& index;
    const KernelReads& reads;

    // How strongly bytes of K or V show: less where words name the other tensor.
    float strength(Part tensor) const
    {
        const Cell chosen = view.chosen();
        return names_tensor(chosen) && chosen.part != tensor ? 0.25f : 1;
    }
};
void draw_k_bytes(const KernelPicture& on, Rect at);                      // the rows of K, who reads which bytes
void draw_read_cells(const KernelPicture& on, Rect grid, Index together); // `together` keys to a drawn row
void draw_blocks(const KernelPicture& on, Rect at);                       // bytes that each block reads
void draw_merge(const KernelPicture& on, Rect at);                        // the parts of a row and how they become one
void draw_kernel_numbers(const KernelPicture& on, Rect at);

Ink ink_of_block(std::int32_t block);

} // namespace headroom
