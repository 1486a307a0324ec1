#include "bindings.h"
#include "task.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/*
  As a rule large blocks have pages of their own: they grow without copies, and freed ones go back to the system at once.
  Grounding makes thousands of large columns that live for a moment; while it keeps the pages of those that are gone for
  those that come, it takes half the time.
*/
void keep_freed_memory(bool keep) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, keep ? 1 << 30 : 1 << 20);
    mallopt(M_TRIM_THRESHOLD, keep ? 1 << 30 : 1 << 17);
    if (!keep) malloc_trim(0);
#endif
}

}  // namespace

NB_MODULE(_core, m) {
    using namespace numbat;
    keep_freed_memory(false);
    m.def("keep_freed_memory", &keep_freed_memory, nb::arg("keep"));
    m.doc() = "The search core of Numbat. Private: use numbat.search.";
    nb::class_<Task>(m, "Task").def("__init__",
                                    [](Task *task, const nb::kwargs &arrays) { new (task) Task(make_task(arrays)); });
    bind_grounding(m);
    bind_search(m);
    bind_improve(m);
    bind_states(m);
}
