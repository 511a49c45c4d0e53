// A picture onto an ImGui draw list.
#pragma once
#include "viewer/app/glyph_atlas.h"
#include "viewer/app/imgui_compat.h"
#include "viewer/picture/theme.h"

namespace headroom {

// `zoom`: pixels of the display per logical pixel. Shapes first, then all texts: two draw calls instead of hundreds.
void paint(ImDrawList& list, const Picture& picture, const Theme& theme, GlyphAtlas& glyphs, ImTextureID texture,
           float zoom);
ImU32 packed(Colour colour, float opacity = 1);

} // namespace headroom
