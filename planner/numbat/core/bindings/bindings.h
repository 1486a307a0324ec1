/* The parts of the Python face of the core; planner/numbat/_core.pyi describes them. Only this folder knows Python. */
#pragma once

#include <nanobind/nanobind.h>

namespace numbat {

void bind_improve(nanobind::module_ &m);
void bind_grounding(nanobind::module_ &m);
void bind_search(nanobind::module_ &m);
void bind_states(nanobind::module_ &m);

}  // namespace numbat
