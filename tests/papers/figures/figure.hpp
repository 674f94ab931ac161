// SPDX-License-Identifier: BSD-3-Clause
// Figures of the papers as data. A figure is one function that runs what it shows and returns panels, and one line in
// the table of main.cpp; scripts/paper_figures draws them all.
#pragma once

#include <string>
#include <vector>

namespace scree::figures {

/// A curve, drawn through its points in order.
struct Series {
    std::string name;  ///< For the legend; empty: none.
    std::vector<double> x, y;

    void add(double at, double value) {
        x.push_back(at);
        y.push_back(value);
    }
};

struct Panel {
    std::string title, x_label, y_label;
    std::vector<Series> series;
    bool same_scale = false;  ///< Both axes in one scale: pictures of bodies.
};

using Panels = std::vector<Panel>;

[[nodiscard]] Panels chakraborty_figure_1();
[[nodiscard]] Panels chakraborty_figures_3_and_4();
[[nodiscard]] Panels song_figure_4();
[[nodiscard]] Panels song_figure_5();
[[nodiscard]] Panels stewart_figure_2_3();
[[nodiscard]] Panels stewart_figure_2_4();

}  // namespace scree::figures
