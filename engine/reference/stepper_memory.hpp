// SPDX-License-Identifier: BSD-3-Clause
// Stepper::memory as a list of numbers: written and read in one order, any list with its length before it.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace scree::reference {

class MemoryWriter {
public:
    void number(double value) { numbers_.push_back(value); }
    /// As two numbers: a double holds 53 bits.
    void identity(std::uint64_t value) {
        number(double(value >> 32U));
        number(double(value & 0xffffffffU));
    }
    void vector(const Eigen::Vector3d& v) {
        for (const double value : v) number(value);
    }
    template <class List>
    void list(const List& list) {
        number(double(list.size()));
        for (const auto value : list) number(double(value));
    }
    [[nodiscard]] std::vector<double> take() { return std::move(numbers_); }

private:
    std::vector<double> numbers_;
};

/// Throws std::invalid_argument where the numbers cannot be what is asked for.
class MemoryReader {
public:
    explicit MemoryReader(const std::vector<double>& numbers) : numbers_(numbers) {}

    [[nodiscard]] bool is_empty() const { return at_ == numbers_.size(); }
    double number() {
        if (is_empty()) fail();
        return numbers_[at_++];
    }
    std::uint64_t identity() {
        const std::uint64_t high = whole();
        return (high << 32U) | whole();
    }
    Eigen::Vector3d vector() {
        const double x = number(), y = number();
        return {x, y, number()};
    }
    Eigen::VectorXd list() {
        const auto size = Eigen::Index(length());
        Eigen::VectorXd list(size);
        for (double& value : list) value = number();
        return list;
    }
    std::vector<Eigen::Index> indices() {
        std::vector<Eigen::Index> list(length());
        for (Eigen::Index& value : list) value = Eigen::Index(whole());
        return list;
    }

private:
    [[noreturn]] static void fail() { throw std::invalid_argument("these numbers are no memory of this stepper"); }
    std::uint64_t whole() {
        const double value = number();
        if (!(value >= 0.0 && value < 4294967296.0)) fail();
        return std::uint64_t(value);
    }
    std::size_t length() {
        const std::uint64_t length = whole();
        if (length > numbers_.size() - at_) fail();
        return std::size_t(length);
    }

    const std::vector<double>& numbers_;
    std::size_t at_ = 0;
};

}  // namespace scree::reference
