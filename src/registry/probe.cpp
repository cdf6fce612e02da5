#include <pier/probe.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pier/error.h>

#include "base/text.h"
#include "registry/probe_process.h"
#include "registry/probe_protocol.h"
#include "store/in_use.h"

namespace pier {
namespace {

using Clock = std::chrono::steady_clock;
using registry::ProbeMessage;
using registry::ProbeProcess;

constexpr std::size_t longest_answer = 16 << 20;
constexpr std::size_t log_kept = 64 << 10;
// How often a child that says nothing is asked whether it still lives.
constexpr int tick_ms = 20;
// No clock holds the end of a longer wait.
constexpr std::chrono::milliseconds longest_limit = std::chrono::hours(24 * 365);
// How long a child that has answered may take to end.
constexpr std::chrono::milliseconds farewell{500};

// The end of what the plugin printed; a plugin that prints without end costs no more memory than this.
class Log {
 public:
  void add(const char* bytes, std::size_t size) {
    kept_.append(bytes, size);
    if (kept_.size() <= 2 * log_kept) return;
    dropped_ += kept_.size() - log_kept;
    kept_.erase(0, kept_.size() - log_kept);
  }
  std::string text_of() const {
    std::string out = kept_;
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return dropped_ ? text("[{} bytes before this are left out]\n{}", dropped_, out) : out;
  }

 private:
  std::string kept_;
  std::size_t dropped_ = 0;
};

// What there is to read now, up to a limit: whoever writes without end must not keep us from the clock. False at the end of the
// stream.
template <class Sink>
bool drain(int fd, Sink sink) {
  std::array<char, 16384> buffer{};
  for (int turn = 0; turn < 64; ++turn) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got > 0) sink(buffer.data(), static_cast<std::size_t>(got));
    else if (got < 0 && errno == EINTR) continue;
    else return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
  return true;
}

class Conversation {
 public:
  explicit Conversation(ProbeProcess& process) : process_(process) {}

  void say(std::string_view line, Clock::time_point deadline) {
    while (!line.empty() && Clock::now() < deadline) {
#if defined(MSG_NOSIGNAL)
      const ssize_t done = ::send(process_.socket(), line.data(), line.size(), MSG_NOSIGNAL);
#else
      const ssize_t done = ::send(process_.socket(), line.data(), line.size(), 0);
#endif
      if (done > 0) line.remove_prefix(static_cast<std::size_t>(done));
      else if (errno == EAGAIN || errno == EWOULDBLOCK) listen(deadline);
      // A child that is gone already is told about by listen().
      else if (errno != EINTR) return;
    }
  }

  // Waits until something is there or a tick is over, and takes it in.
  void listen(Clock::time_point deadline) {
    std::array<pollfd, 2> files = {{{process_.log(), static_cast<short>(log_open_ ? POLLIN : 0), 0},
                                    {process_.socket(), static_cast<short>(socket_open_ ? POLLIN : 0), 0}}};
    if (!log_open_) files[0].fd = -1;
    if (!socket_open_) files[1].fd = -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    ::poll(files.data(), files.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, tick_ms)));
    take_in();
  }

  void take_in() {
    if (log_open_) log_open_ = drain(process_.log(), [&](const char* bytes, std::size_t size) { log_.add(bytes, size); });
    if (socket_open_)
      socket_open_ = drain(process_.socket(), [&](const char* bytes, std::size_t size) {
        if (unread_.size() + size > longest_answer)
          throw Error(ErrorCode::internal, text("the process of a load test answered with more than {}", bytes_text(longest_answer)));
        unread_.append(bytes, size);
      });
    std::size_t start = 0;
    for (std::size_t end = 0; !answer_ && (end = unread_.find('\n', start)) != std::string::npos; start = end + 1) {
      ProbeMessage message = registry::decode_message(std::string_view(unread_).substr(start, end - start));
      if (message.report || message.error) answer_ = std::move(message);
      else stage_ = std::move(message.stage);
    }
    unread_.erase(0, start);
  }

  const std::optional<ProbeMessage>& answer() const { return answer_; }
  bool open() const { return log_open_ || socket_open_; }
  const std::string& stage() const { return stage_; }
  std::string log() const { return log_.text_of(); }

 private:
  ProbeProcess& process_;
  bool log_open_ = true;
  bool socket_open_ = true;
  Log log_;
  std::string unread_;
  std::string stage_ = "starting the process";
  std::optional<ProbeMessage> answer_;
};

// Throws it as the class that its code belongs to.
[[noreturn]] void throw_as_its_class(const Error& error) {
  const auto complete = [&](Error& copy) {
    copy.in_function(error.function()).in_plugin(error.plugin());
    for (const std::string& note : error.notes()) copy.note(note);
  };
  if (error.code() == ErrorCode::unsupported) {
    Unsupported typed(error.message());
    complete(typed);
    throw typed;
  }
  if (error.code() == ErrorCode::integrity) {
    IntegrityError typed(error.message());
    complete(typed);
    throw typed;
  }
  throw error;
}

void note_log(Error& error, const std::string& log, bool in_fork) {
  error.note(log.empty() ? "it printed nothing" : "it printed:\n" + log);
  if (in_fork) error.note("pier-probe is not installed: this process was forked instead, which is less reliable in a program with threads");
}

Error crash_error(const std::filesystem::path& library, ProbeProcess& process, const std::string& stage) {
  Error error(ErrorCode::not_available,
              text("the plugin {} ended its process with {} while {} (in a child process: this one is unharmed)",
                   library.native(), process.ended(), stage));
  if (process.killed_by(SIGILL)) error.note("it may use processor instructions that this machine lacks");
  if (process.killed_by(SIGKILL)) error.note("the system may have ended it for want of memory");
  return error;
}

// The child's answer to the request; throws what probe_plugin() throws.
ProbeReport converse(registry::ProbeRequest request, std::chrono::milliseconds limit) {
  if (limit <= std::chrono::milliseconds::zero())
    throw Error(ErrorCode::invalid_argument, text("a time limit of {} ms for a load test", limit.count()));
  const std::filesystem::path helper = registry::find_probe_helper();
  const std::filesystem::path absolute = request.library;
  const auto time_limit = std::min(limit, longest_limit);
  const auto deadline = Clock::now() + time_limit;
  request.time_limit_ms = time_limit.count();
  ProbeProcess process(helper);
  Conversation conversation(process);
  const Fd use = hold_in_use(store_root_of(absolute));
  conversation.say(registry::encode(request), deadline);

  std::string ended;
  while (!conversation.answer() && ended.empty() && Clock::now() < deadline) {
    conversation.listen(deadline);
    ended = process.ended();
  }
  // What it wrote last is still in the pipes.
  const auto goodbye = Clock::now() + (conversation.answer() ? farewell : std::chrono::milliseconds(0));
  while (process.ended().empty() && conversation.open() && Clock::now() < goodbye) conversation.listen(goodbye);
  conversation.take_in();

  if (const auto& answer = conversation.answer()) {
    if (answer->report) {
      ProbeReport report = *answer->report;
      report.log = conversation.log();
      return report;
    }
    Error error = *answer->error;
    note_log(error, conversation.log(), helper.empty());
    throw_as_its_class(error);
  }
  Error error = ended.empty()
                    ? Error(ErrorCode::deadline_exceeded, text("the plugin {} was still {} after {} s, and was ended", absolute.native(),
                                                               conversation.stage(),
                                                               static_cast<double>(time_limit.count()) / 1000))
                    : crash_error(absolute, process, conversation.stage());
  note_log(error, conversation.log(), helper.empty());
  throw error;
}

}  // namespace

namespace registry {

std::int64_t ask_library(const std::filesystem::path& library, const std::string& function, std::chrono::milliseconds limit) {
  ProbeRequest request;
  request.library = std::filesystem::absolute(library);
  request.ask = function;
  const ProbeReport report = converse(std::move(request), limit);
  const auto at = report.attributes.find(function);
  const auto* const number = at == report.attributes.end() ? nullptr : std::get_if<std::int64_t>(&at->second);
  if (!number) throw Error(ErrorCode::internal, text("pier-probe did not say what {} gives", function));
  return *number;
}

}  // namespace registry

ProbeReport probe_plugin(const std::filesystem::path& library, const ProbeOptions& options) {
  registry::ProbeRequest request;
  request.library = std::filesystem::absolute(library);
  request.create_client = options.create_client;
  request.create_options = options.create_options;
  request.environment = options.environment;
  request.preload = {options.preload.begin(), options.preload.end()};
  return converse(std::move(request), options.time_limit);
}

}  // namespace pier
