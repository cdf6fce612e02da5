#include <algorithm>
#include <utility>
#include <vector>

#include <pier/error.h>
#include <pier/registry.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/text.h"
#include "base/utf8.h"
#include "registry/machine.h"
#include "registry/names.h"
#include "registry/policy.h"
#include "registry/search.h"

namespace pier {
namespace registry {
namespace {

bool is_from_catalog(const Candidate& candidate) { return candidate.library.empty(); }
bool is_named_by_hand(const Candidate& candidate) { return candidate.manifest.empty() && !candidate.library.empty() && candidate.found_in.empty(); }

// What "auto" and a label go by, best first. A device that is not seen only matters for what nobody named by hand: the signs
// may be incomplete.
struct Rank {
  bool seen = true;
  int priority = 0;
};

bool is_better(const Rank& a, const Rank& b) { return a.seen != b.seen ? a.seen : a.priority > b.priority; }

Rank rank_of(const Candidate& candidate) {
  const bool seen = is_named_by_hand(candidate) || device_is_seen(candidate.id).value_or(true);
  return {seen, candidate.priority};
}

using Place = void (*)(const Query&, Resolution&);

struct Step {
  const char* name;
  Place place;
};

// What stands in `places` from there on becomes a step's.
void end_step(const char* name, std::size_t first_place, std::size_t first_candidate, Resolution& out) {
  SearchStep step;
  step.name = name;
  step.places.assign(out.places.begin() + static_cast<std::ptrdiff_t>(first_place), out.places.end());
  for (std::size_t i = first_candidate; i < out.candidates.size(); ++i) step.candidates.push_back(i);
  out.steps.push_back(std::move(step));
}

void run(const Step& step, const Query& query, const Policy& policy, Resolution& out) {
  const std::size_t first_place = out.places.size();
  const std::size_t first = out.candidates.size();
  step.place(query, out);
  for (std::size_t i = first; i < out.candidates.size(); ++i) {
    Candidate& candidate = out.candidates[i];
    // Who gives a path has chosen.
    if (query.kind != Query::Kind::path)
      if (auto why = policy.why_not(candidate.id)) candidate.reason = std::move(*why);
    candidate.usable = candidate.reason.empty();
  }
  end_step(step.name, first_place, first, out);
}

void skip(const Step& step, Resolution& out) {
  SearchStep skipped;
  skipped.name = step.name;
  skipped.looked = false;
  out.steps.push_back(std::move(skipped));
}

void take_first(std::vector<Candidate*>& fitting) {
  fitting.front()->taken = true;
  fitting.front()->reason = "the first that fits";
  for (std::size_t i = 1; i < fitting.size(); ++i)
    fitting[i]->reason = text("comes after {} in the search", describe(*fitting.front()));
}

void take_best(const Query& query, std::vector<Candidate*>& fitting) {
  std::vector<std::pair<Rank, Candidate*>> ranked;
  for (Candidate* const candidate : fitting) {
    const Rank rank = rank_of(*candidate);
    if (!rank.seen && query.kind == Query::Kind::automatic)
      candidate->reason = "no device of it is seen on this machine";
    else ranked.emplace_back(rank, candidate);
  }
  if (ranked.empty()) return;
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return is_better(a.first, b.first); });
  const auto& [best_rank, best] = ranked.front();
  best->taken = true;
  best->reason = ranked.size() == 1 ? "the only one that fits"
                                    : text("the highest priority, {}, of {} that fit", best->priority, ranked.size());
  for (std::size_t i = 1; i < ranked.size(); ++i) {
    const auto& [rank, candidate] = ranked[i];
    if (best_rank.seen && !rank.seen) candidate->reason = "no device of it is seen on this machine";
    else if (rank.priority == best_rank.priority)
      candidate->reason = text("priority {} as well; {} comes first in the search", rank.priority, describe(*best));
    else candidate->reason = text("priority {} is less than {} of {}", rank.priority, best_rank.priority, describe(*best));
  }
}

std::vector<Candidate*> fitting(Resolution& resolution, bool from_catalog) {
  std::vector<Candidate*> out;
  for (Candidate& candidate : resolution.candidates)
    if (candidate.usable && is_from_catalog(candidate) == from_catalog) out.push_back(&candidate);
  return out;
}

void take_on_this_machine(const Query& query, Resolution& resolution) {
  std::vector<Candidate*> all = fitting(resolution, false);
  if (all.empty()) return;
  if (query.kind == Query::Kind::path) return take_first(all);
  // An id names one accelerator, so the order of the search decides; several accelerators can answer to a label.
  std::vector<Candidate*> of_that_id;
  for (Candidate* const candidate : all)
    if (query.kind == Query::Kind::name && candidate->id == query.text) of_that_id.push_back(candidate);
  if (of_that_id.empty()) return take_best(query, all);
  take_first(of_that_id);
  for (Candidate* const candidate : all)
    if (candidate->id != query.text) candidate->reason = text("answers to the label; {} has the id", describe(*of_that_id.front()));
}

// What nobody gave to pier counts only where nothing else can be used: what is installed must not change its meaning with the
// environment that happens to be active, and a start shall not read folders of Python's.
void leave_found_ones(Resolution& resolution, std::size_t first) {
  const Candidate& taken = *resolution.taken();
  for (std::size_t i = first; i < resolution.candidates.size(); ++i)
    if (Candidate& candidate = resolution.candidates[i]; candidate.usable) candidate.reason = text("not needed: {} comes first", describe(taken));
}

void take_from_catalog(Resolution& resolution) {
  const Candidate* const taken = resolution.taken();
  for (Candidate* const candidate : fitting(resolution, true)) {
    if (taken) {
      candidate->reason = text("not needed: {} comes first", describe(*taken));
    } else if (resolution.taken()) {
      candidate->reason = "comes after another one of the catalog";
    } else {
      candidate->taken = true;
      candidate->reason = "not installed yet; it is fetched when it is used";
    }
  }
}

bool is_settled(const Query& query, const Resolution& out) {
  // A path or an id is settled by the first place that has it; labels and "auto" compare all that pier was given.
  return std::any_of(out.candidates.begin(), out.candidates.end(), [&](const Candidate& candidate) {
    return candidate.usable && (query.kind == Query::Kind::path || candidate.id == query.text);
  });
}

// `out` may hold what was found out about the selector before.
Resolution search(Query query, SearchDepth depth, Resolution out) {
  const Policy policy = Policy::from_environment();
  // An id that may not be used leaves its name to those that have it as a label.
  query.depth = policy.why_not(query.text) ? SearchDepth::everything : depth;
  const bool everything = depth == SearchDepth::everything;
  out.selector = query.kind == Query::Kind::automatic ? "auto" : query.text;

  bool settled = false;
  for (const Step step : {Step{"path", search_path}, Step{"variables", search_variables}, Step{"manifests", search_manifests}}) {
    if (settled && !everything) skip(step, out);
    else run(step, query, policy, out);
    settled = is_settled(query, out);
  }
  take_on_this_machine(query, out);

  constexpr Step python{"python", search_python};
  constexpr Step workspace{"workspace", search_workspace};
  constexpr Step catalog{"catalog", search_catalog};
  if (const bool found = out.taken() != nullptr; everything || !found) {
    const std::size_t first = out.candidates.size();
    run(python, query, policy, out);
    if (found) leave_found_ones(out, first);
    else take_on_this_machine(query, out);
  } else {
    skip(python, out);
  }
  if (everything) run(workspace, query, policy, out);
  else skip(workspace, out);
  if (everything || !out.taken()) {
    run(catalog, query, policy, out);
    take_from_catalog(out);
  } else {
    skip(catalog, out);
  }
  return out;
}

// The words of PIER_PLATFORM. A path may have a comma in it.
std::vector<std::string> words_of(const std::string& chosen) {
  std::error_code error;
  if (std::filesystem::exists(chosen, error)) return {chosen};
  std::vector<std::string> words;
  for (const std::string& item : split(chosen, ','))
    if (const std::string_view word = trim(item); !word.empty()) words.emplace_back(word);
  return words;
}

Query word_of_platform(const std::string& word) {
  try {
    return parse_selector(word);
  } catch (Error& error) {
    throw error.note("PIER_PLATFORM has it");
  }
}

// The first word that leads to a plugin. One before the last only where its device is seen: whoever names another choice does not
// want an error from the first.
Resolution search_platforms(const std::string& chosen, SearchDepth depth) {
  const std::vector<std::string> words = words_of(chosen);
  Resolution before;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    Resolution start;
    start.places = before.places;
    start.places.push_back(text("PIER_PLATFORM chooses '{}'", words[i]));
    end_step("selector", 0, 0, start);
    Resolution found = search(word_of_platform(words[i]), depth, std::move(start));
    const Candidate* const taken = found.taken();
    if (last || (taken && rank_of(*taken).seen)) return found;
    before.places.push_back(text("PIER_PLATFORM: '{}' is passed over: {}", words[i],
                                 taken                      ? "no device of it is seen on this machine"
                                 : found.candidates.empty() ? "nothing of that name is known"
                                                            : "none of its candidates can be used"));
  }
  before.places.emplace_back("PIER_PLATFORM names nothing");
  end_step("selector", 0, 0, before);
  return search({}, depth, std::move(before));
}

}  // namespace

bool Query::wants(std::string_view id, const std::vector<std::string>& labels) const {
  return kind != Kind::name || id == text || contains(labels, text);
}

Query parse_selector(std::string_view selector) {
  Query query;
  query.said = selector;
  if (selector.empty() || selector == "auto") return query;
  const std::filesystem::path path(selector);
  // No path of a system is longer (PATH_MAX of Linux).
  if (selector.size() < 4096 && (selector.find('/') != std::string_view::npos || is_library_name(selector))) {
    query.kind = Query::Kind::path;
    query.text = selector;
    return query;
  }
  query.kind = Query::Kind::name;
  query.text = lower_ascii(selector);
  if (!is_name(query.text)) {
    Error error(ErrorCode::invalid_argument, text("'{}' is not a selector", shortened(selector)));
    if (selector.find(':') != std::string_view::npos) error.note("one device of a plugin is chosen from its client, not here");
    throw error.note("a selector is an id (cpu), a label (gpu), a path to a library, or auto");
  }
  return query;
}

}  // namespace registry

Resolution resolve(std::string_view selector, SearchDepth depth) {
  using namespace registry;
  const Query query = parse_selector(selector);
  Resolution start;
  if (query.kind == Query::Kind::automatic) {
    if (const auto chosen = get_env("PIER_PLATFORM"); chosen && *chosen != "auto") return search_platforms(*chosen, depth);
    start.places.emplace_back("PIER_PLATFORM is not set");
    end_step("selector", 0, 0, start);
  }
  return search(query, depth, std::move(start));
}

const Candidate* Resolution::taken() const {
  for (const Candidate& candidate : candidates)
    if (candidate.taken) return &candidate;
  return nullptr;
}

}  // namespace pier
