// The whole window without a window: events go in, pictures come out. Tests drive it as the real window does.
#pragma once
#include "viewer/app/keymap.h"
#include "viewer/app/screen.h"

namespace headroom {

class App {
public:
    App(MakeRecording make, const Preferences& preferences);

    // Events. The clock in seconds comes first, where time matters.
    void tick(double now);
    void resize(float width, float height, float least_text);
    void point(Point at);
    void press(Point at);
    void release();
    void press(const Key& key);
    void open(const std::filesystem::path& file);
    void open(std::shared_ptr<const Recording> recording, std::string name); // already read from a file of that name
    void ask(const Request& request);

    const Screen& screen();                   // laid out anew where something has changed
    bool changed() const { return changed_; } // since screen() was asked for
    double seconds_until_change() const;      // 0: it moves now; infinity: only an event changes it
    bool over_button() const { return hovered_ >= 0; }
    std::string title() const; // "Headroom · Decode · step 5 of 18 · output,1,2,0,3"
    const State& state() const { return state_; }

private:
    void drag(Point at);
    const Screen& current();
    void alter() { stale_ = changed_ = true; }

    State state_;
    Screen screen_;
    bool stale_ = true, changed_ = true; // not laid out yet; not asked for yet
    bool dragging_ = false;
    int hovered_ = -1; // spot under the pointer
};

} // namespace headroom
