// What differs between ImGui 1.86, 1.90, 1.91 and 1.92: names of textures, and who builds its own font's texture.
#pragma once
#include <cstdint>
#include <imgui.h>

namespace headroom {

// A pointer until 1.91.3, a number since.
inline ImTextureID texture_id(unsigned gl_name) { return (ImTextureID)(std::intptr_t)gl_name; }

inline void push_texture(ImDrawList& list, ImTextureID id)
{
#if IMGUI_VERSION_NUM >= 19200
    list.PushTexture(id);
#else
    list.PushTextureID(id);
#endif
}
inline void pop_texture(ImDrawList& list)
{
#if IMGUI_VERSION_NUM >= 19200
    list.PopTexture();
#else
    list.PopTextureID();
#endif
}

// For a context without a renderer: tests, and files.
inline void do_without_renderer(ImGuiIO& io)
{
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
}

} // namespace headroom
