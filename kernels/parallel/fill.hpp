// SPDX-License-Identifier: BSD-3-Clause
// values[i] = value.
#pragma once

#include "kernels/items/real.hpp"

namespace scree::kernels {

template <class T>
struct FillItem {
    T* values;
    T value;
    SCREE_HD void operator()(Index i) const { values[i] = value; }
};

}  // namespace scree::kernels
