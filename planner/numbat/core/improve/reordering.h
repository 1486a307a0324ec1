/*
  Brings related steps of a plan next to each other, without changing what it does.

  Two neighbours may change places if both are applicable in the other order and lead to the same state. A step moves
  towards the beginning over its neighbours until it stands behind one that it is related to: the same action, or one
  that changes something that it changes, too. A window then sees at once what was spread over the plan.
*/
#pragma once

#include "course.h"

#include <random>

namespace numbat {

enum class Related { by_action, by_change };

/* Reorders the steps of a stretch. Where costs depend on the state, only if they do not grow. */
void bring_together(Course &course, int begin, int end, Related how, std::mt19937 &chance);

}  // namespace numbat
