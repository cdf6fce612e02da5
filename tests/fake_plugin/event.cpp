#include "fake_plugin/event.h"

#include "fake_plugin/bodies.h"

namespace fake {
namespace {

/// For functions that return the event's failure as their own error.
void throw_failure(const Event& event) {
  if (const std::optional<Failure> failure = event.signal->failure()) throw Failure(*failure);
}

}  // namespace

void Event::retire() {
  destroyed = true;
  if (waiting > 0) ledger().violate("an event destroyed while " + std::to_string(waiting) + " callbacks wait on it");
}

abi::PJRT_Event* give_event(SignalPtr signal, const void* client) {
  return give<abi::PJRT_Event>(std::make_shared<Event>(std::move(signal), client));
}

SignalPtr delayed(const std::vector<SignalPtr>& after, std::int64_t milliseconds,
                  const std::optional<Failure>& failure) {
  auto signal = std::make_shared<Signal>();
  when_all(after, [signal, milliseconds, failure](std::optional<Failure> first) {
    later(milliseconds, [signal, failure = first ? first : failure] { signal->finish(failure); });
  });
  return signal;
}

void run(abi::PJRT_Event_Destroy_Args& args, Call&) { ledger().take<Event>(args.event); }

void run(abi::PJRT_Event_IsReady_Args& args, Call&) {
  args.is_ready = ledger().get<Event>(args.event)->signal->done();
}

void run(abi::PJRT_Event_Error_Args& args, Call&) {
  const auto event = ledger().get<Event>(args.event);
  if (!event->signal->done()) misuse("the event has not happened; real plugins abort here");
  throw_failure(*event);
}

void run(abi::PJRT_Event_Await_Args& args, Call&) {
  const auto event = ledger().get<Event>(args.event);
  event->signal->wait();
  throw_failure(*event);
}

void run(abi::PJRT_Event_OnReady_Args& args, Call& call) {
  const auto event = ledger().get<Event>(args.event);
  if (args.callback == nullptr) misuse("no callback");
  ++event->waiting;
  event->signal->then([event, callback = args.callback, user = args.user_arg] {
    if (event->destroyed) return;
    --event->waiting;
    const std::optional<Failure> failure = event->signal->failure();
    callback(failure ? give_error(*failure) : nullptr, user);
  });
  if (call.later()) throw Failure(*call.later());
}

void run(abi::PJRT_Event_Create_Args& args, Call&) { args.event = give_event(std::make_shared<Signal>(), nullptr); }

void run(abi::PJRT_Event_Set_Args& args, Call&) {
  const auto event = ledger().get<Event>(args.event);
  if (event->set_by_caller.exchange(true)) misuse("the event was set before");
  std::optional<Failure> failure;
  if (args.error_code != 0) failure = Failure{args.error_code, std::string(args.error_message, args.error_message_size)};
  if (!event->signal->finish(std::move(failure))) misuse("the event had happened already");
}

}  // namespace fake
