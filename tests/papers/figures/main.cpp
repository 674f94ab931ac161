// SPDX-License-Identifier: BSD-3-Clause
// papers_figures          lists the figures, one a line: name, tab, caption
// papers_figures NAME     writes its data: "# panel", "# x", "# y", "# same_scale" and "# series" lines, then "x,y"
// rows
#include "tests/papers/figures/figure.hpp"

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

namespace {

using namespace scree::figures;

struct Figure {
    const char* name;
    const char* caption;
    Panels (*run)();
};

constexpr std::array table{
    Figure{"chakraborty_figure_1",
           "A rolling disc and polygons in its place (Chakraborty, Berard, Akella, Trinkle 2007)",
           chakraborty_figure_1},
    Figure{"chakraborty_figures_3_and_4", "A sphere that spins in place (Chakraborty, Berard, Akella, Trinkle 2007)",
           chakraborty_figures_3_and_4},
    Figure{"song_figure_4",
           "Ellipse on a compliant patch of three elements, eps = 1e-10 m^2/N (Song, Pang, Kumar 2004)", song_figure_4},
    Figure{"song_figure_5", "The compliant ellipse against the rigid one (Song, Pang, Kumar 2004)", song_figure_5},
    Figure{"stewart_figure_2_3", "A ball thrown at a row of three, e = 0.9 (Stewart 2000)", stewart_figure_2_3},
    Figure{"stewart_figure_2_4", "A spinning rod falls onto a table, mu = 2 (Stewart 2000)", stewart_figure_2_4},
};

void write(const Panels& panels) {
    for (const Panel& panel : panels) {
        std::printf("# panel %s\n# x %s\n# y %s\n", panel.title.c_str(), panel.x_label.c_str(), panel.y_label.c_str());
        if (panel.same_scale) std::printf("# same_scale\n");
        for (const Series& series : panel.series) {
            std::printf("# series %s\n", series.name.c_str());
            for (std::size_t k = 0; k < series.x.size(); ++k) std::printf("%.9g,%.9g\n", series.x[k], series.y[k]);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        for (const Figure& figure : table) std::printf("%s\t%s\n", figure.name, figure.caption);
        return 0;
    }
    for (const Figure& figure : table) {
        if (std::string_view(argv[1]) != figure.name) continue;
        try {
            write(figure.run());
        } catch (const std::exception& error) {
            std::fprintf(stderr, "error: %s: %s\n", figure.name, error.what());
            return 3;
        }
        return 0;
    }
    std::fprintf(stderr, "error: %s: not a figure [papers_figures alone lists them]\n", argv[1]);
    return 1;
}
