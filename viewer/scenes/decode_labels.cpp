#include "viewer/scenes/decode_labels.h"

#include "viewer/scenes/page.h"
#include <algorithm>
#include <array>

namespace headroom {
namespace {

struct Form {
    enum class Name { whole, letter, none } name;
    bool named_axes;
    float size; // of the em
};
// "K cache [Hkv 8, S 18, D 4]" where there is room, else less of it.
constexpr std::array forms{Form{Form::Name::whole, true, 0.8f},   Form{Form::Name::letter, true, 0.8f},
                           Form{Form::Name::letter, true, 0.7f},  Form{Form::Name::whole, false, 0.8f},
                           Form{Form::Name::letter, false, 0.8f}, Form{Form::Name::letter, false, 0.7f},
                           Form{Form::Name::none, false, 0.8f}};

std::string pattern_of(const TensorLabel& label, const Form& form, Language language)
{
    std::string pattern = form.name == Form::Name::whole    ? std::string(words(label.name, language)) + " ["
                          : form.name == Form::Name::letter ? std::string(label.letter) + " ["
                                                            : "[";
    for (const Axis& axis : label.axes) {
        if (&axis != &label.axes.front()) pattern += ", ";
        if (form.named_axes) pattern += std::string(axis.name) + " ";
        pattern += "{}";
    }
    return pattern + "]";
}

float width_of(const TensorLabel& label, const Form& form, Language language, float em)
{
    std::string shown = pattern_of(label, form, language);
    for (const Axis& axis : label.axes) shown.replace(shown.find("{}"), 2, std::to_string(axis.extent));
    return text_width(shown, Face::mono, form.size * em);
}

} // namespace

void draw_labels(Picture& picture, const std::vector<TensorLabel>& labels, const std::string& lane, Language language,
                 float em)
{
    const auto fits = [&](const Form& form) {
        return std::ranges::all_of(
            labels, [&](const TensorLabel& l) { return width_of(l, form, language, em) <= l.at.width(); });
    };
    const auto found = std::ranges::find_if(forms, fits);
    const Form& form = found == forms.end() ? forms.back() : *found;
    for (const TensorLabel& label : labels) {
        std::vector<Fact> facts;
        for (const Axis& axis : label.axes)
            facts.push_back(
                index_fact(std::string(words(label.name, Language::en)) + " " + std::string(axis.name) + ", " + lane,
                           axis.extent));
        const float squeeze = std::min(1.0f, label.at.width() / width_of(label, form, language, em));
        picture.words({label.at.x0, label.at.y0 + 0.85f * em}, pattern_of(label, form, language),
                      {.ink = label.ink, .size = squeeze * form.size * em, .face = Face::mono}, facts);
    }
}

} // namespace headroom
