// Reads JSON event by event and keeps the names of every object that is open: for texts that nobody has checked, where
// nesting has a limit and every name stands once. (A callback of nlohmann's parse would do, but it walks through all
// entries so far whenever one ends.)
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace headroom {

class JsonNames : public nlohmann::json::json_sax_t {
public:
    using Json = nlohmann::json;
    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(Json::number_integer_t) override { return value(); }
    bool number_unsigned(Json::number_unsigned_t) override { return value(); }
    bool number_float(Json::number_float_t, const std::string&) override { return value(); }
    bool string(std::string&) override { return value(); }
    bool binary(Json::binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override
    {
        if (!names_.back().insert(name).second) repeated(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

protected:
    // Of objects and lists that are open; told before one more is opened and for each value in the innermost. Refuse by
    // throwing.
    virtual void opens(std::size_t depth) = 0;
    virtual void holds_value(std::size_t) {}
    virtual void repeated(const std::string& name) = 0;

private:
    bool value()
    {
        holds_value(names_.size());
        return true;
    }
    bool open()
    {
        opens(names_.size());
        names_.emplace_back();
        return true;
    }
    bool close()
    {
        names_.pop_back();
        return true;
    }

    std::vector<std::set<std::string>> names_;
};

} // namespace headroom
