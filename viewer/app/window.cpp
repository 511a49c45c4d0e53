#include "viewer/app/window.h"

#include "viewer/app/imgui_paint.h"
#include <GLFW/glfw3.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <imgui_impl_opengl3.h>
#include <stdexcept>
#ifdef __EMSCRIPTEN__ // in a web page: Emscripten's GLFW and WebGL 2
#include <emscripten.h>
extern "C" void glfwGetWindowContentScale(GLFWwindow*, float* x, float* y); // viewer/web/library.js
#endif

namespace headroom {
namespace {

#ifdef __EMSCRIPTEN__
constexpr const char* shader_version = "#version 300 es";
#else
constexpr const char* shader_version = "#version 150";
#endif

std::string last_error; // of GLFW

double milliseconds()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Key key_of(int code, int modifiers)
{
    const bool shift = modifiers & GLFW_MOD_SHIFT, ctrl = modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER);
    const auto special = [&](char32_t as) { return Key{as, shift, ctrl}; };
    switch (code) {
    case GLFW_KEY_LEFT: return special(Key::left);
    case GLFW_KEY_RIGHT: return special(Key::right);
    case GLFW_KEY_UP: return special(Key::up);
    case GLFW_KEY_DOWN: return special(Key::down);
    case GLFW_KEY_HOME: return special(Key::home);
    case GLFW_KEY_END: return special(Key::end);
    case GLFW_KEY_ESCAPE: return special(Key::escape);
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return special(Key::enter);
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD: return {U'+', false, ctrl};
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT: return {U'-', false, ctrl};
    case GLFW_KEY_0: return {U'0', false, ctrl};
    default: return {};
    }
}

App& app_of(GLFWwindow* window) { return *static_cast<App*>(glfwGetWindowUserPointer(window)); }
Point pointer_of(GLFWwindow* window)
{
    double x = 0, y = 0;
    glfwGetCursorPos(window, &x, &y);
    return {static_cast<float>(x), static_cast<float>(y)};
}

// What types a character comes as that character, whatever the keyboard; the rest by its key.
void listen(GLFWwindow* window)
{
    glfwSetKeyCallback(window, [](GLFWwindow* w, int code, int, int action, int modifiers) {
        if (action == GLFW_RELEASE) return;
        const Key key = key_of(code, modifiers);
        if (key.code > 126 || key.code < 32 || key.ctrl) app_of(w).press(key);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) {
        app_of(w).press(Key{code >= 'a' && code <= 'z' ? code - 'a' + 'A' : code});
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        app_of(w).point({static_cast<float>(x), static_cast<float>(y)});
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
        if (button != GLFW_MOUSE_BUTTON_LEFT) return;
        if (action == GLFW_PRESS)
            app_of(w).press(pointer_of(w));
        else
            app_of(w).release();
    });
    glfwSetScrollCallback(
        window, [](GLFWwindow* w, double, double up) { app_of(w).ask({up < 0 ? Act::step : Act::step_back}); });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        if (count > 0) app_of(w).open(paths[count - 1]);
    });
}

class Window {
public:
    explicit Window(App& app, bool visible) : app_(app)
    {
        glfwSetErrorCallback([](int, const char* why) { last_error = why; });
        if (!glfwInit()) throw std::invalid_argument("no window: " + last_error);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_SAMPLES, 0); // ImGui smooths its own edges
        glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
        const Preferences& p = app.state().preferences;
        window_ = glfwCreateWindow(p.width, p.height, "Headroom", nullptr, nullptr);
        if (!window_) {
            glfwTerminate();
            throw std::invalid_argument("no window: " + last_error);
        }
        glfwSetWindowSizeLimits(window_, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(visible ? 1 : 0);
        glfwSetWindowUserPointer(window_, &app);
        listen(window_);
        hand_ = glfwCreateStandardCursor(GLFW_HAND_CURSOR);
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui_ImplOpenGL3_Init(shader_version);
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, GlyphAtlas::side, GlyphAtlas::side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     nullptr);
    }
    ~Window()
    {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
        glfwDestroyCursor(hand_);
        glfwDestroyWindow(window_);
        glfwTerminate();
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }

    void follow_size() // and the display's own scale of text
    {
        int width = 0, height = 0, pixels = 0;
        float scale = 1;
        glfwGetWindowSize(window_, &width, &height);
        glfwGetFramebufferSize(window_, &pixels, nullptr);
        glfwGetWindowContentScale(window_, &scale, nullptr);
        if (width <= 0 || height <= 0) return; // minimised
        zoom_ = static_cast<float>(pixels) / static_cast<float>(width);
        app_.resize(static_cast<float>(width), static_cast<float>(height), 11 * scale / zoom_);
    }

    // Returns the milliseconds that laying out and painting took.
    std::pair<double, double> draw()
    {
        const double begun = milliseconds();
        const Screen& screen = app_.screen();
        const double laid_out = milliseconds();
        begin_frame(screen.bars.size);
        const Theme& look = theme(app_.state().preferences.dark ? "dark" : "light");
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        for (const Picture* part : {&screen.scene, &screen.bars, &screen.overlay})
            paint(list, *part, look, glyphs_, texture_id(texture_), zoom_);
        ImGui::Render();
        const double painted = milliseconds();
        upload();
        const Colour ground = area_colour(look, Ink::paper);
        glClearColor(ground.r, ground.g, ground.b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        vertices_ = ImGui::GetDrawData()->TotalVtxCount;
        glfwSetCursor(window_, app_.over_button() ? hand_ : nullptr);
        if (const std::string title = app_.title(); title != title_)
            glfwSetWindowTitle(window_, (title_ = title).c_str());
        return {laid_out - begun, painted - laid_out};
    }
    void show() { glfwSwapBuffers(window_); }
    // Time passes; what has changed is drawn. Returns whether anything has.
    bool turn()
    {
        follow_size();
        app_.tick(glfwGetTime());
        if (!app_.changed()) return false;
        draw();
        if (glyphs_.take_overflow()) draw(); // what was painted before has to be painted again
        show();
        return true;
    }
    int vertices() const { return vertices_; }

private:
    void begin_frame(const Rect& size)
    {
        ImGui_ImplOpenGL3_NewFrame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {size.width(), size.height()};
        io.DisplayFramebufferScale = {zoom_, zoom_};
        io.DeltaTime = 1.0f / 60;
        ImGui::NewFrame();
    }

    // White with the coverage as its opacity; only the rows that changed.
    void upload()
    {
        const auto [from, to] = glyphs_.take_changed_rows();
        if (to <= from) return;
        const std::size_t rows = static_cast<std::size_t>(to - from), side = GlyphAtlas::side;
        std::vector<std::uint8_t> rgba(rows * side * 4, 255);
        for (std::size_t i = 0; i < rows * side; ++i)
            rgba[4 * i + 3] = glyphs_.alpha()[static_cast<std::size_t>(from) * side + i];
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, from, GlyphAtlas::side, to - from, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    }

    App& app_;
    GLFWwindow* window_ = nullptr;
    GLFWcursor* hand_ = nullptr;
    unsigned texture_ = 0;
    GlyphAtlas glyphs_;
    float zoom_ = 1;
    int vertices_ = 0;
    std::string title_;
};

double median(std::vector<double> times)
{
    if (times.empty()) return 0;
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
}

} // namespace

std::string why_no_window()
{
#if defined(__linux__)
    const auto is_set = [](const char* name) { return std::getenv(name) && *std::getenv(name); };
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return "there is no display";
#endif
    return "";
}

#ifdef __EMSCRIPTEN__

// The browser asks for every picture, so this returns at once; the App must stay. What can still be changed is its state.
Preferences run_window(App& app)
{
    static Window window(app, true);
    const auto turn = [](void*) { window.turn(); };
    emscripten_set_main_loop_arg(turn, nullptr, 0, false);
    return app.state().preferences;
}

#else

// Sleeps until something happens; while it plays, until the next picture is due.
Preferences run_window(App& app)
{
    constexpr double frame = 1.0 / 60;
    Window window(app, true);
    double shown_at = 0;
    while (!glfwWindowShouldClose(window.handle()) && !app.state().quit) {
        if (window.turn()) shown_at = glfwGetTime();
        const double wait = app.seconds_until_change();
        if (wait > 1e9)
            glfwWaitEvents();
        else
            glfwWaitEventsTimeout(std::max({wait, frame - (glfwGetTime() - shown_at), 0.001}));
    }
    return app.state().preferences;
}

#endif

FrameTimes time_frames(App& app, int frames)
{
    Window window(app, false);
    window.follow_size();
    std::vector<double> layout, painting, whole;
    for (int i = 0; i < frames; ++i) {
        const double begun = milliseconds();
        app.ask({Act::seek, app.state().last() * (i + 0.3) / frames}); // lays out: what lies under the pointer?
        const double asked = milliseconds();
        const auto [laid_out, painted] = window.draw();
        glFinish();
        whole.push_back(milliseconds() - begun);
        layout.push_back(asked - begun + laid_out);
        painting.push_back(painted);
        window.show();
    }
    return {frames, median(layout), median(painting), median(whole), window.vertices()};
}

} // namespace headroom
