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
#include "registry/search.h"

namespace pier {
namespace registry {
namespace {

bool is_from_catalog(const Candidate& candidate) { return candidate.library.empty(); }
bool is_named_by_hand(const Candidate& candidate) { return candidate.manifest.empty() && !candidate.library.empty(); }

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

void run(Place place, const Query& query, Resolution& out) {
  const std::size_t before = out.candidates.size();
  place(query, out);
  for (std::size_t i = before; i < out.candidates.size(); ++i) out.candidates[i].usable = out.candidates[i].reason.empty();
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
  Resolution out;
  Query query = parse_selector(selector);
  if (query.kind == Query::Kind::automatic) {
    const auto chosen = get_env("PIER_PLATFORM");
    if (chosen && *chosen != "auto") {
      out.places.push_back(text("PIER_PLATFORM chooses '{}'", *chosen));
      query = parse_selector(*chosen);
    } else {
      out.places.emplace_back("PIER_PLATFORM is not set");
    }
  }
  out.selector = query.kind == Query::Kind::automatic ? "auto" : query.text;

  constexpr Place on_this_machine[] = {search_path, search_variables, search_manifests};
  for (const Place place : on_this_machine) {
    run(place, query, out);
    // A path or an id is settled by the first place that has it; labels and "auto" compare all that is on this machine.
    const bool settled = std::any_of(out.candidates.begin(), out.candidates.end(), [&](const Candidate& candidate) {
      return candidate.usable && (query.kind == Query::Kind::path || candidate.id == query.text);
    });
    if (depth == SearchDepth::until_found && settled) break;
  }
  take_on_this_machine(query, out);
  if (depth == SearchDepth::everything || !out.taken()) {
    run(search_catalog, query, out);
    take_from_catalog(out);
  }
  return out;
}

const Candidate* Resolution::taken() const {
  for (const Candidate& candidate : candidates)
    if (candidate.taken) return &candidate;
  return nullptr;
}

}  // namespace pier
