#include "linear.h"

#include <algorithm>
#include <cmath>

namespace numbat {

double Linear::weight() const {
    double sum = 0;
    for (const LinearTerm &term : terms) sum += std::abs(term.coefficient);
    return sum;
}

void Linear::add(double factor, const Linear &other) {
    constant += factor * other.constant;
    for (const LinearTerm &term : other.terms) {
        auto place = std::lower_bound(terms.begin(), terms.end(), term.variable,
                                      [](const LinearTerm &t, int v) { return t.variable < v; });
        if (place != terms.end() && place->variable == term.variable)
            place->coefficient += factor * term.coefficient;
        else
            terms.insert(place, {term.variable, factor * term.coefficient});
    }
    std::erase_if(terms, [](const LinearTerm &term) { return term.coefficient == 0; });
}

bool Linear::add_exactly(double factor, const Linear &other) {
    const Whole sum = static_cast<Whole>(static_cast<int64_t>(factor)) * other.whole + whole;
    if (!fits_64_bits(sum) || std::abs(factor) * other.weight() >= LAST_COUNTED) return false;
    add(factor, other);
    whole = static_cast<int64_t>(sum);
    constant = nearest(sum);
    return weight() < LAST_COUNTED;
}

}  // namespace numbat
