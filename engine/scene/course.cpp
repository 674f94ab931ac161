// SPDX-License-Identifier: BSD-3-Clause
#include "engine/scene/course.hpp"

#include "engine/model/error.hpp"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::scene {

/// The parser keeps the address of its variable.
struct CourseFunction::Formula {
    double time = 0.0;
    mu::Parser parser;
};

CourseFunction::CourseFunction(const model::Course& course) : course_(course) {
    if (course_.expression.empty()) return;
    formula_ = std::make_unique<Formula>();
    const std::string& text = course_.expression;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        const char before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
        if (after == '=') {
            ++i;
        } else if (before != '<' && before != '>' && before != '!') {
            throw model::Error(model::ErrorKind::input, "assigns with '=', which a formula of the time cannot",
                               "compare with ==");
        }
    }
    try {
        formula_->parser.DefineVar("t", &formula_->time);
        formula_->parser.SetExpr(course_.expression);
        (void)formula_->parser.Eval();  // compiles it
        if (formula_->parser.GetNumResults() != 1)
            throw model::Error(model::ErrorKind::input, "is a list of values, one is wanted", "remove the commas");
    } catch (const mu::Parser::exception_type& error) {
        throw model::Error(model::ErrorKind::input, "cannot be read: " + error.GetMsg(),
                           "a formula in t, such as 0.5 * sin(2 * _pi * t)");
    }
}

CourseFunction::~CourseFunction() = default;
CourseFunction::CourseFunction(CourseFunction&&) noexcept = default;
CourseFunction& CourseFunction::operator=(CourseFunction&&) noexcept = default;

double CourseFunction::at(double time) const {
    if (formula_ != nullptr) {
        formula_->time = time;
        try {
            return formula_->parser.Eval();
        } catch (const mu::Parser::exception_type&) {
            return std::nan("");
        }
    }
    const auto& table = course_.table;
    if (table.empty()) return course_.constant;
    const auto later =
        std::upper_bound(table.begin(), table.end(), time, [](double t, const auto& row) { return t < row.first; });
    if (later == table.begin()) return table.front().second;
    if (later == table.end()) return table.back().second;
    const auto& [t0, v0] = *(later - 1);
    const auto& [t1, v1] = *later;
    return v0 + (v1 - v0) * ((time - t0) / (t1 - t0));
}

}  // namespace scree::scene
