#include "reference/tensor/files.h"
#include "tests/floor_plan/plan.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace headroom;

TEST_CASE("every include and every link follows the floor plan")
{
    const auto all = objections(HEADROOM_SOURCE_FOLDER);
    for (const std::string& each : all) UNSCOPED_INFO(each);
    CHECK(all.empty());
    CHECK(arrows(HEADROOM_SOURCE_FOLDER).size() > 100); // it did read the tree
}

TEST_CASE("an include that the floor plan does not have is found")
{
    const TemporaryFolder tree;
    const auto plant = [&](const std::string& file, const std::string& text) {
        std::filesystem::create_directories((tree.path() / file).parent_path());
        write_file(tree.path() / file, text);
    };
    plant("reference/tensor/tensor.h", "");
    plant("reference/contract/problem.h", "#include \"reference/tensor/tensor.h\"\n");
    plant("reference/attention/matrix.h", "#include <Eigen/Core>\n");
    plant("cuda/attention.h", "#include \"reference/contract/problem.h\"\n");
    plant("cuda/decode/01_naive.h", "");
    plant("experiments/list.cpp", "#include \"cuda/attention.h\"\n#include \"reference/tensor/tensor.h\"\n");
    plant("viewer/app/window.cpp", "#include <GLFW/glfw3.h>\n#include <imgui.h>\n");
    CHECK(objections(tree.path()).empty());

    const auto finds = [&](const std::string& file, const std::string& text, const std::string& why) {
        plant(file, text);
        const auto all = objections(tree.path());
        std::filesystem::remove(tree.path() / file);
        INFO(file << ": " << text);
        CHECK((all.size() == 1 && all.front().find(why) != std::string::npos));
    };
    finds("reference/tensor/up.cpp", "// a comment\n#include \"reference/contract/problem.h\"", "may not see");
    finds("experiments/deep.cpp", "  # include \"cuda/decode/01_naive.h\"", "experiments may not see cuda/decode");
    finds("reference/kv_cache/beside.h", "#include \"reference/attention/matrix.h\"", "may not see");
    finds("viewer/export/reach.cpp", "#include \"experiments/list.cpp\"", "may not see");
    finds("reference/contract/near.h", "#include \"problem.h\"", "no such file");
    finds("corner/new.h", "#include \"reference/tensor/tensor.h\"", "no room for corner/new.h");
    finds("reference/attention/mask.h", "#include <Eigen/Core>", "matrix.h");
    finds("cli/view.cpp", "#include <imgui.h>", "viewer/app");
    finds("viewer/app/painter.cpp", "#include <GLFW/glfw3.h>", "window");

    plant("reference/contract/CMakeLists.txt", "headroom_library(contract SOURCES a.cpp)");
    finds("reference/tensor/CMakeLists.txt", "headroom_library(tensor SOURCES t.cpp LINKS contract PRIVATE_LINKS x::x)",
          "LINKS contract: reference/tensor may not see reference/contract");
}
