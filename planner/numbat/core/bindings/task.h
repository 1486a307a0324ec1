/* Tasks and states between Python's arrays and the core. */
#pragma once

#include "../task.h"
#include "fields.h"

namespace numbat {

/* From the arrays of numbat.task.grounded, which are checked. */
Task make_task(const nb::dict &arrays);

State make_state(const Task &task, const Bytes &facts, const nb::object &values);

/* (facts, values) */
nb::tuple arrays_of(const Task &task, const State &state);

}  // namespace numbat
