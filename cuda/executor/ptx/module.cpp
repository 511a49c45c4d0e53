#include "cuda/executor/ptx/module.h"

#include "cuda/executor/ptx/decode.h"
#include "cuda/executor/ptx/machine.h"
#include "cuda/executor/ptx/scope.h"

#include <cstdlib>

namespace headroom::cuda::ptx {
namespace {

std::string without_comments(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "//") {
            while (i < text.size() && text[i] != '\n') ++i;
        } else if (text.substr(i, 2) == "/*") {
            i = std::min(text.find("*/", i), text.size() - 2) + 1;
            continue;
        }
        if (i < text.size()) out += text[i];
    }
    return out;
}

// A declaration of memory, "[.extern] .shared .align 16 .b8 name[128]" or ".param .u64 name".
struct Variable {
    std::string name;
    u64 bytes = 0, align = 1;
    bool external = false;
};
Variable parse_variable(std::string_view text)
{
    Variable v;
    v.external = text.find(".extern") != text.npos;
    u64 element = 0;
    std::string_view rest = text;
    while (true) {
        rest = trim(rest);
        const auto end = rest.find_first_of(" \t\n");
        if (end == rest.npos) break;
        const std::string_view word = rest.substr(0, end);
        rest = trim(rest.substr(end));
        if (word == ".align") {
            v.align = std::strtoull(std::string(rest).c_str(), nullptr, 10);
            rest = rest.substr(rest.find_first_of(" \t\n"));
        } else if (word == ".ptr") {
            // attributes of a pointer parameter follow: ".global .align 4"
            while (rest.front() == '.') {
                const bool align = rest.substr(0, 6) == ".align";
                rest = trim(rest.substr(rest.find_first_of(" \t\n")));
                if (align) rest = trim(rest.substr(rest.find_first_of(" \t\n")));
            }
        } else if (const int bits = bits_of(word.substr(1)); bits)
            element = static_cast<u64>(bits) / 8;
    }
    const auto bracket = rest.find('[');
    v.name = trim(rest.substr(0, bracket));
    v.align = std::max(v.align, element);
    u64 count = 1;
    if (bracket != rest.npos) count = std::strtoull(std::string(rest.substr(bracket + 1)).c_str(), nullptr, 10);
    v.bytes = element * count;
    return v;
}

u64 aligned(u64 n, u64 to) { return (n + to - 1) / to * to; }

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::map<std::string, Function, std::less<>> run()
    {
        for (at_ = text_.find(".file"); at_ < text_.size(); at_ = text_.find(".file", at_)) file();
        at_ = 0;
        while (skip_blank(), at_ < text_.size()) top_level();
        for (auto& [name, function] : functions_) function.files = files_;
        return std::move(functions_);
    }

private:
    void skip_blank() { at_ = std::min(text_.find_first_not_of(" \t\r\n;", at_), text_.size()); }
    bool looking_at(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
    std::string_view until(std::string_view ends) // takes the text up to one of the characters, which stays
    {
        const auto end = std::min(text_.find_first_of(ends, at_), text_.size());
        const auto piece = text_.substr(at_, end - at_);
        at_ = end;
        return piece;
    }
    void skip_braces()
    {
        at_ = text_.find('{', at_);
        for (int depth = 0; at_ < text_.size();) {
            if (text_[at_] == '{') ++depth;
            if (text_[at_] == '}') --depth;
            ++at_;
            if (!depth) return;
        }
    }

    void top_level()
    {
        if (looking_at(".version") || looking_at(".target") || looking_at(".address_size")) {
            until("\n");
        } else if (looking_at(".file")) {
            until("\n"); // known already
        } else if (looking_at(".section")) {
            skip_braces();
        } else {
            const auto head = until(";({");
            if (head.find(".entry") != head.npos)
                entry(trim(head.substr(head.find(".entry") + 6)));
            else if (head.find(".func") != head.npos)
                skip_function();
            else if (head.find(".shared") != head.npos)
                module_variables_.emplace_back(head);
            else
                until(";"); // .global and .const variables: a kernel that uses one gets "unknown name"
        }
    }
    void skip_function()
    {
        until(";{");
        if (looking_at("{")) skip_braces();
    }
    void file() // .file 1 "path"
    {
        const auto line = until("\n");
        const auto number = static_cast<std::size_t>(std::atoi(std::string(line.substr(6)).c_str()));
        const auto quote = line.find('"');
        auto path = line.substr(quote + 1, line.rfind('"') - quote - 1);
        if (const auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
        if (files_.size() <= number) files_.resize(number + 1);
        files_[number] = path;
    }

    void entry(std::string_view name)
    {
        Function& f = functions_[std::string(name)];
        f.name = name;
        Scope scope(f);
        labels_.clear();
        file_ = line_ = 0;

        // Parameters, then the module's shared variables.
        ++at_;
        for (const auto text : split(until(")"), ',')) {
            const Variable v = parse_variable(text);
            const u64 offset = aligned(f.parameter_bytes, v.align);
            scope.declare_symbol(v.name, offset);
            f.parameter_bytes = static_cast<u32>(offset + v.bytes);
        }
        std::vector<Variable> dynamic;
        u64 shared_align = 16;
        const auto shared = [&](std::string_view text) {
            const Variable v = parse_variable(text);
            shared_align = std::max(shared_align, v.align);
            if (v.external) return dynamic.push_back(v);
            const u64 offset = aligned(f.shared_bytes, v.align);
            scope.declare_symbol(v.name, offset);
            f.shared_bytes = static_cast<u32>(offset + v.bytes);
        };
        // Dynamic memory follows the static variables, wherever those are declared in the body: find them first.
        const std::size_t body = text_.find('{', at_);
        at_ = body;
        skip_braces();
        const std::size_t end = at_;
        for (const auto& variable : module_variables_) shared(variable);
        for (std::size_t s = text_.find(".shared .align", body); s < end; s = text_.find(".shared .align", s + 1))
            shared(text_.substr(s, text_.find(';', s) - s));
        f.shared_bytes = static_cast<u32>(aligned(f.shared_bytes, shared_align));
        for (const Variable& v : dynamic) scope.declare_symbol(v.name, f.shared_bytes);

        at_ = body + 1;
        for (int depth = 1; depth;) depth += statement(f, scope);
        for (Instruction& i : f.code)
            if (i.flow == Flow::branch) {
                const std::string& label = targets_.at(&i - f.code.data());
                const auto it = labels_.find(label);
                if (it == labels_.end()) throw SyntaxError("PTX: no label " + label + " in " + f.name);
                i.target = it->second;
            }
        targets_.clear();
    }

    int statement(Function& f, Scope& scope) // the change of depth
    {
        skip_blank();
        if (looking_at("{")) {
            ++at_;
            scope.enter();
            return 1;
        }
        if (looking_at("}")) {
            ++at_;
            scope.leave();
            return -1;
        }
        if (looking_at(".loc")) {
            location(until("\n"));
            return 0;
        }
        if (looking_at(".reg")) {
            scope.declare_registers(until(";"));
            return 0;
        }
        if (looking_at(".local")) {
            const Variable v = parse_variable(until(";"));
            const u64 offset = aligned(f.local_bytes, v.align);
            scope.declare_symbol(v.name, offset);
            f.local_bytes = static_cast<u32>(aligned(offset + v.bytes, 16));
            return 0;
        }
        if (looking_at(".")) { // .pragma, .shared (seen above)
            until(";");
            return 0;
        }
        const auto word_end =
            text_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%", at_);
        if (word_end < text_.size() && text_[word_end] == ':') {
            labels_[std::string(text_.substr(at_, word_end - at_))] = static_cast<u32>(f.code.size());
            at_ = word_end + 1;
            return 0;
        }
        instruction(f, scope, until(";"));
        return 0;
    }

    // ".loc file line column[, function_name …, inlined_at file line column]". Of inlined code, the innermost place in a
    // kernel file counts: what it calls lies in headers that all kernels share.
    using Location = std::array<u32, 3>;
    static Location parse_location(std::string_view text)
    {
        Location l = {};
        const std::string numbers(text.substr(0, 48));
        char* rest = const_cast<char*>(numbers.c_str());
        for (u32& n : l) n = static_cast<u32>(std::strtoul(rest, &rest, 10));
        return l;
    }
    bool in_kernel_file(const Location& l) const
    {
        return l[0] < files_.size() && files_[l[0]].find(".cu") != std::string::npos;
    }
    void location(std::string_view text)
    {
        Location here = parse_location(text.substr(4));
        constexpr std::string_view inlined = "inlined_at";
        if (const auto at = text.find(inlined); at != text.npos)
            callers_[here] = parse_location(text.substr(at + inlined.size()));
        else
            callers_.erase(here);
        Location outer = here;
        for (int depth = 0; depth < 20 && !in_kernel_file(outer) && callers_.contains(outer); ++depth)
            outer = callers_[outer];
        if (in_kernel_file(outer)) here = outer;
        file_ = here[0];
        line_ = here[1];
    }

    void instruction(Function& f, Scope& scope, std::string_view text)
    {
        Statement s = parse_statement(text);
        Instruction i;
        try {
            i = decode(s, scope);
            if (!s.guard.empty()) {
                const Scope::Register* guard = scope.find_register(s.guard);
                if (!guard) throw SyntaxError("PTX: unknown predicate " + s.guard);
                i.guard = guard->offset;
                i.guard_negated = s.guard_negated;
            }
        } catch (const std::exception& e) {
            throw SyntaxError(std::string(e.what()) + ", in `" + s.text + "` of " + f.name);
        }
        if (i.flow == Flow::branch) targets_[static_cast<std::ptrdiff_t>(f.code.size())] = s.operands.at(0).name;
        i.file = file_;
        i.line = line_;
        i.text = static_cast<u32>(f.text.size());
        f.text.push_back(s.text);
        f.code.push_back(i);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::map<std::string, Function, std::less<>> functions_;
    std::vector<std::string> module_variables_, files_;
    std::map<std::string, u32> labels_;
    std::map<std::ptrdiff_t, std::string> targets_;
    u32 file_ = 0, line_ = 0;
    std::map<Location, Location> callers_; // of inlined code
};

} // namespace

Module::Module(std::string_view text)
{
    const std::string code = without_comments(text);
    functions_ = Parser(code).run();
}

const Function* Module::find(std::string_view name) const
{
    const auto it = functions_.find(name);
    return it == functions_.end() ? nullptr : &it->second;
}

} // namespace headroom::cuda::ptx
