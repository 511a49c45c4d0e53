// What lies around and over a scene: bars with buttons, drawn with the marks that scenes are drawn with.
#pragma once
#include "viewer/app/screen.h"

namespace headroom {

class BarPainter {
public:
    BarPainter(Picture& onto, std::vector<Spot>& clicks, const State& of)
        : picture(onto), spots(clicks), state(of), em(of.em())
    {}

    struct Look {
        bool active = false, enabled = true, framed = true;
        Face face = Face::sans;
        float size = 0.9f; // of the em
    };
    void button(Rect at, std::string_view label, const Request& request, const Look& look);
    float width_of(std::string_view label, const Look& look) const; // of a button with this label
    bool pointed_at(Rect at) const { return at.contains(state.pointer); }
    std::string_view say(Words key) const { return words(key, state.preferences.language); }
    float base_line(Rect row, float size) const { return row.centre().y + 0.36f * size; }

    Picture& picture;
    std::vector<Spot>& spots;
    const State& state;
    const float em;
};

// Each cuts what it needs off the room.
void top_bar(BarPainter& bar, Rect& room);
void controls_bar(BarPainter& bar, Rect& room);
void timeline(BarPainter& bar, Rect& room, Rect& track);
void walk_bar(BarPainter& bar, Rect& room);
void help_over(BarPainter& bar, Rect all);
void message_over(BarPainter& bar, Rect room);

} // namespace headroom
