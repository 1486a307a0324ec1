#include "improver.h"

#include "reordering.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace numbat {

namespace {

/* How a lane searches in its first round, its second, and so on over and over. */
struct Strategy {
    double weight;
    const char *heuristic;
    size_t slowness;  // a state takes so many times as long
};
constexpr Strategy STRATEGIES[] = {{1, nullptr, 1}, {1.5, "hadd", 8}, {3, nullptr, 1}, {2, "hmrp", 8}};
constexpr size_t FIRST_EXPANSIONS = 200;
constexpr size_t FIRST_NEIGHBOURHOOD = 2000;
constexpr int MOST_ROUNDS = 40;
constexpr size_t MOST_SEARCHED = 400000;
constexpr int LONGEST_REORDERED = 400;
constexpr uint32_t FOR_GOOD = UINT32_MAX;
// of the time of a lane, in proportion to one that saves nothing
constexpr double MOST_FAVOUR = 20;

uint64_t mixed(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

uint64_t fingerprint_of(const State &state) {
    uint64_t h = 0x2545f4914f6cdd1du;
    for (uint64_t word : state.facts) h = mixed(h, word);
    if (!state.whole.empty()) {
        for (int64_t number : state.whole) h = mixed(h, static_cast<uint64_t>(number));
    } else {
        for (double number : state.values) h = mixed(h, static_cast<uint64_t>(static_cast<int64_t>(number)));
    }
    return h;
}

double size_of(const Price &price) { return static_cast<double>(price.cost) + 0.01 * static_cast<double>(price.steps); }

}  // namespace

Improver::Improver(const Task &task, const Prices &prices, const ImproverOptions &options, ImproverNotes notes)
    : task_(task),
      prices_(prices),
      options_(options),
      limits_(options.seconds, options.bytes, options.board),
      expired_([this] { return expired(); }),
      regression_(task, prices),
      search_(task, prices, options.seed, expired_),
      neighbourhood_(task, prices, expired_),
      chance_(static_cast<uint32_t>(options.seed)),
      searched_(std::move(notes.searched)) {
    if (options.incumbent) incumbent_ = *options.incumbent;
    if (!options.fresh) earlier_ = std::move(notes.lanes);
}

ImproverNotes Improver::notes() const {
    if (lanes_.empty()) return {searched_, earlier_};
    return {searched_, {lanes_.begin(), lanes_.end()}};
}

bool Improver::expired() {
    using Ending = ImproverResult::Ending;
    if (over_ || !limits_.due()) return over_;
    limits_.post(static_cast<double>(result_.windows), static_cast<double>(result_.expanded), 0, 0);
    const auto verdict = limits_.check(0);
    if (verdict != Limits::Verdict::go_on) {
        why_ = verdict == Limits::Verdict::out_of_memory ? Ending::out_of_memory : Ending::out_of_time;
        over_ = true;
    } else if (progress_ && limits_.elapsed() > options_.pause) {
        why_ = Ending::better;
        over_ = true;
    } else if (options_.incumbent && std::atomic_ref<double>(*options_.incumbent).load() != incumbent_) {
        why_ = progress_ ? Ending::better : Ending::outdated;
        over_ = true;
    }
    return over_;
}

void Improver::find_runs(const Course &course) {
    runs_.clear();
    const Operators &plan = course.plan();
    for (int at = 0; at < course.size(); ++at)
        if (at == 0 || plan[at] != plan[at - 1]) runs_.push_back(at);
    runs_.push_back(course.size());
}

void Improver::make_lanes() {
    const int runs = static_cast<int>(runs_.size()) - 1;
    for (int length = 2; length < runs;
         length = length % 2 == 0 && (length & (length - 1)) == 0 ? length * 3 / 2 : length * 4 / 3)
        add_lane(Lane::Kind::window, length);
    add_lane(Lane::Kind::whole_plan, runs);
    add_lane(Lane::Kind::chain, 1);
    if (prices_.nonnegative) add_lane(Lane::Kind::neighbourhood, runs);
}

/* One that goes on where it was in the run before; chains are looked for anew, as any change may have made some. */
void Improver::add_lane(LaneNotes::Kind kind, int length) {
    Lane lane{{kind, length}};
    for (const LaneNotes &before : earlier_) {
        if (before.kind != kind || (kind == Lane::Kind::window && before.length != length)) continue;
        lane.saved = before.saved;
        lane.seconds = before.seconds;
        if (kind != Lane::Kind::chain) lane.round = before.round;
    }
    lanes_.push_back(std::move(lane));
}

/* All places of a lane, in a random order. */
void Improver::fill(Lane &lane) {
    const int runs = static_cast<int>(runs_.size()) - 1;
    std::vector<int> places;
    const int stride = std::max(1, lane.length / 3);
    const int last = lane.kind == Lane::Kind::whole_plan || lane.kind == Lane::Kind::neighbourhood
                         ? 0
                         : std::max(0, runs - lane.length);
    for (int place = 0; place < last; place += stride) places.push_back(place);
    places.push_back(last);
    std::shuffle(places.begin(), places.end(), chance_);
    lane.places.assign(places.begin(), places.end());
}

Improver::Lane *Improver::next_lane() {
    double all = 1e-9;
    for (const Lane &lane : lanes_) all = std::max(all, lane.saved);
    Lane *best = nullptr;
    double least = 0;
    for (Lane &lane : lanes_) {
        const double used = lane.seconds / (1 + MOST_FAVOUR * lane.saved / all);
        if (lane.done || (best && used >= least)) continue;
        best = &lane;
        least = used;
    }
    return best;
}

uint64_t Improver::fingerprint(Course &course, int begin, int end) {
    return mixed(fingerprint_of(course.state(begin)), course.requirement(end).fingerprint());
}

/* Searches one window, unless that has been done; true if the plan has changed. */
bool Improver::search(Lane &lane, Course &course, int begin, int end) {
    const auto expansions = static_cast<uint32_t>(FIRST_EXPANSIONS << std::min(lane.round, 20));
    const uint64_t name = fingerprint(course, begin, end);
    const auto known = searched_.find(name);
    if (known != searched_.end() && known->second >= expansions) {
        proved_ |= lane.kind == Lane::Kind::whole_plan && known->second == FOR_GOOD;
        return false;
    }
    WindowOptions options;
    const Strategy &strategy = STRATEGIES[lane.round % std::size(STRATEGIES)];
    options.weight = strategy.weight;
    options.heuristic = strategy.heuristic;
    options.most_expansions = std::max<size_t>(FIRST_EXPANSIONS / 4, expansions / strategy.slowness);
    options.most_bytes = limits_.memory() / 2;
    const WindowResult found = search_.run(course, begin, end, options);
    ++result_.windows;
    result_.expanded += found.expanded;
    if (!found.found) {
        if (searched_.size() > MOST_SEARCHED) searched_.clear();
        if (found.exhausted || !over_) searched_[name] = found.exhausted ? FOR_GOOD : expansions;
        proved_ |= lane.kind == Lane::Kind::whole_plan && found.exhausted;
        return false;
    }
    course.replace(begin, end, found.steps);
    ++result_.improved;
    add_to(result_.saved_by_windows, found.saved);
    lane.saved += size_of(found.saved);
    progress_ = true;
    return true;
}

bool Improver::take_chain(Lane &lane, Course &course) {
    const int place = lane.places.front();
    lane.places.pop_front();
    if (place >= static_cast<int>(runs_.size()) - 1) return false;
    const Price saved = Elimination(course, expired_).take_chain(runs_[place]);
    if (saved.steps == 0 && saved.cost == 0) return false;
    add_to(result_.saved_by_elimination, saved);
    lane.saved += size_of(saved);
    lane.round = 0;
    progress_ = true;
    return true;
}

/* Round after round a larger one; a plan that has changed is looked at anew, from a smaller one on. */
bool Improver::search_neighbourhood(Lane &lane, Course &course) {
    lane.places.pop_front();
    const size_t expansions = FIRST_NEIGHBOURHOOD << 2 * std::min(lane.round, 12);
    uint64_t name = fingerprint_of(task_.initial);
    for (int op : course.plan()) name = mixed(name, static_cast<uint64_t>(op));
    const auto known = searched_.find(name);
    if (known != searched_.end() && known->second >= std::min<size_t>(expansions, FOR_GOOD - 1)) return false;
    const auto before = price_of(task_, prices_, course.plan());
    bool whole = false;
    const auto better = neighbourhood_.search(course, {expansions, limits_.memory() / 2}, whole);
    if (over_) return false;
    searched_[name] = static_cast<uint32_t>(std::min<size_t>(expansions, FOR_GOOD - 1));
    const auto now = better ? price_of(task_, prices_, *better) : before;
    proved_ |= whole && !better;
    if (!before || !now || *now >= *before) return false;
    course.replace(0, course.size(), *better);
    const Price saved{before->cost - now->cost, before->steps - now->steps};
    add_to(result_.saved_by_neighbourhood, saved);
    lane.saved += size_of(saved);
    lane.round = std::max(0, lane.round - 2);
    progress_ = true;
    return true;
}

bool Improver::search_window(Lane &lane, Course &course) {
    const int runs = static_cast<int>(runs_.size()) - 1;
    const int place = std::min(lane.places.front(), std::max(0, runs - 1));
    lane.places.pop_front();
    const bool whole = lane.kind == Lane::Kind::whole_plan;
    const int begin = runs_[place], end = runs_[whole ? runs : std::min(runs, place + lane.length)];
    if (lane.round > 0 && !whole && chance_() % 2 == 0) {
        const int first = runs_[std::max(0, place - lane.length)],
                  last = runs_[std::min(runs, place + 2 * lane.length)];
        const Related related = chance_() % 2 ? Related::by_action : Related::by_change;
        if (last - first <= LONGEST_REORDERED) bring_together(course, first, last, related, chance_);
    }
    if (begin == end || !search(lane, course, begin, end)) return false;
    for (int near : {place, std::max(0, place - lane.length / 2), place + lane.length / 2})
        lane.places.push_front(near);
    return true;
}

/* One place of a lane. */
void Improver::work(Lane &lane, Course &course) {
    if (lane.places.empty()) {
        ++lane.round;
        lane.done |= lane.round > (lane.kind == Lane::Kind::chain ? 0 : MOST_ROUNDS);
        fill(lane);
        return;
    }
    const int round = lane.round;
    const bool changed = lane.kind == Lane::Kind::chain           ? take_chain(lane, course)
                         : lane.kind == Lane::Kind::neighbourhood ? search_neighbourhood(lane, course)
                                                                  : search_window(lane, course);
    if (changed || round > 0) find_runs(course);
}

void Improver::improve_by_windows(Course &course) {
    find_runs(course);
    make_lanes();
    for (Lane &lane : lanes_) fill(lane);
    while (!expired()) {
        Lane *lane = next_lane();
        if (!lane || proved_) {
            why_ = progress_ ? ImproverResult::Ending::better : ImproverResult::Ending::nothing_left;
            return;
        }
        const double begin = limits_.elapsed();
        work(*lane, course);
        lane->seconds += limits_.elapsed() - begin + 1e-6;
    }
}

ImproverResult Improver::run(const Operators &plan) {
    Course course(regression_, plan);
    const auto before = price_of(task_, prices_, plan);
    if (before) {
        Elimination(course, expired_).run([this] { progress_ = true; });
        const auto now = price_of(task_, prices_, course.plan());
        if (now) result_.saved_by_elimination = {before->cost - now->cost, before->steps - now->steps};
        progress_ = now && *now < *before;
        result_.seconds_for_elimination = limits_.elapsed();
        if (task_.exact() && !over_ && course.size() > 0)
            improve_by_windows(course);
        else if (!over_)
            why_ = progress_ ? ImproverResult::Ending::better : ImproverResult::Ending::nothing_left;
    }
    const auto now = price_of(task_, prices_, course.plan());
    const bool improved = before && now && *now < *before;
    if (improved) result_.plan = course.plan();
    if (improved || why_ == ImproverResult::Ending::better)
        why_ = improved ? ImproverResult::Ending::better : ImproverResult::Ending::outdated;
    result_.ending = why_;
    for (const Lane &lane : lanes_) result_.rounds += lane.round;
    result_.seconds = limits_.elapsed();
    return std::move(result_);
}

}  // namespace numbat
