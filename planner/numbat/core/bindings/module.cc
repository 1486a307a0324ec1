#include "bindings.h"
#include "task.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

NB_MODULE(_core, m) {
    using namespace numbat;
#ifdef __GLIBC__
    // large blocks keep their own pages: they grow without copies, and freed ones go back to the system at once
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    m.doc() = "The search core of Numbat. Private: use numbat.search.";
    nb::class_<Task>(m, "Task").def("__init__",
                                    [](Task *task, const nb::kwargs &arrays) { new (task) Task(make_task(arrays)); });
    bind_grounding(m);
    bind_search(m);
    bind_improve(m);
    bind_states(m);
}
