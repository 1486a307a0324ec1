/*
  What a step is for a numeric condition: how finely its expression has to be looked at.

  The smallest constant by which an operator changes the expression, or the width of the narrowest window in which it
  has to be, whichever is less; a window is two conditions of one conjunction that enclose the same expression. One of
  the user's units where there is neither.
*/
#pragma once

#include "task.h"

#include <vector>

namespace numbat {

/* Per condition of the task, in units of its expression. */
std::vector<double> resolutions(const Task &task);

}  // namespace numbat
