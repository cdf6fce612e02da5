#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/index.h"
#include "store/json_events.h"

namespace pier {
namespace {

// Reads the page event by event, so that one with thousands of files is never held as a tree.
class Reader : public JsonEvents {
 public:
  explicit Reader(const IndexVisitor& visit) : visit_(visit) {}

  bool boolean(bool value) override {
    if (in_file() && key_ == "yanked") file_.yanked = value;
    return true;
  }
  bool number(std::optional<std::uint64_t> value) override {
    if (in_file() && key_ == "size") file_.size = value;
    return true;
  }
  bool string(std::string_view value) override {
    if (in_file()) {
      if (key_ == "filename") file_.name = value;
      else if (key_ == "url") file_.url = value;
      else if (key_ == "requires-python") file_.requires_python = value;
      else if (key_ == "yanked") {
        // A reason, even an empty one, means yanked.
        file_.yanked = true;
        file_.yanked_reason = value;
      }
    } else if (in_hashes() && key_ == "sha256") {
      if (is_sha256(value)) file_.sha256 = lower_ascii(value);
    } else if (depth_ == 2 && in_meta_ && key_ == "api-version") {
      if (!value.starts_with("1.")) {
        problem = text("the index speaks version {} of its interface; pier knows 1", value);
        return false;
      }
    }
    return true;
  }
  bool start_object() override {
    if (in_files_ && depth_ == 2) {
      file_ = {};
      in_entry_ = true;
    } else if (in_entry_ && depth_ == 3) {
      inner_ = key_;
    } else if (depth_ == 1 && key_ == "meta") {
      in_meta_ = true;
    }
    return enter();
  }
  bool end_object() override {
    --depth_;
    if (depth_ == 2 && in_entry_) {
      in_entry_ = false;
      if (!file_.name.empty() && !file_.url.empty()) visit_(std::move(file_));
    } else if (depth_ == 3) {
      inner_.clear();
    } else if (depth_ == 1) {
      in_meta_ = false;
    }
    return true;
  }
  bool start_array() override {
    if (depth_ == 1 && key_ == "files") in_files_ = seen_files = true;
    return enter();
  }
  bool end_array() override {
    if (--depth_ == 1) in_files_ = false;
    return true;
  }
  bool key(std::string_view value) override {
    key_ = value;
    return true;
  }
  bool seen_files = false;
  std::string problem;

 private:
  bool enter() {
    ++depth_;
    return true;
  }
  bool in_file() const { return in_entry_ && depth_ == 3; }
  bool in_hashes() const { return in_entry_ && depth_ == 4 && inner_ == "hashes"; }

  const IndexVisitor& visit_;
  int depth_ = 0;
  std::string key_;
  std::string inner_;
  bool in_files_ = false;
  bool in_entry_ = false;
  bool in_meta_ = false;
  IndexFile file_;
};

}  // namespace

void read_index_json(std::string_view body, const IndexVisitor& visit) {
  Reader reader(visit);
  if (const auto fault = read_json(body, reader))
    reader.problem = fault->too_deep ? "it is nested too deeply" : text("it is not JSON from byte {} on", fault->position);
  if (!reader.problem.empty()) throw NetworkError(text("the index page cannot be read: {}", reader.problem));
  if (!reader.seen_files) throw NetworkError("the index page cannot be read: it has no list of files");
}

}  // namespace pier
