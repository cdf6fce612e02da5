#pragma once

// How tests steer the fake plugin and read its books. README.md tells what each thing does. Plain data and C calling
// convention, so that it works through dlsym whatever either side was compiled with.

#include <cstddef>
#include <cstdint>

/// For `call` arguments: every call from now on.
inline constexpr std::uint64_t fake_every_call = 0;

/// For delay(): completes only when release() is called.
inline constexpr std::int64_t fake_until_released = -1;

/// What the plugin says about its version and how its call table lies in memory. A negative number means: as a regular
/// build of that minor version has it, the wrong sizes of old ones included.
struct FakePose {
  int major = 0;
  int minor = 117;
  /// struct_size that the table reports.
  std::int64_t reported_struct_size = -1;
  /// Bytes that the table really has, 8 for each slot. What lies behind is junk or not there at all.
  std::int64_t table_size = -1;
  /// Slots behind the table that look like functions and kill the process when called.
  std::int64_t junk_slots = -1;
  /// The builds of 0.56 in which CopyRawToHost stands early and pushes 31 functions up.
  bool shifted = false;
};

/// Handles that the plugin gave out and did not get back.
struct FakeLive {
  std::int64_t clients = 0;
  std::int64_t topologies = 0;  ///< Only those that the caller must destroy.
  std::int64_t buffers = 0;
  std::int64_t events = 0;
  std::int64_t executables = 0;
  std::int64_t loaded_executables = 0;
  std::int64_t errors = 0;
  std::int64_t external_references = 0;
  std::int64_t transfer_managers = 0;
  std::int64_t execute_contexts = 0;
  std::int64_t tracking_events = 0;
  std::int64_t layouts = 0;
  std::int64_t holders = 0;    ///< Serialized things, attribute lists, callback data whose deleter was not called.
  std::int64_t mappings = 0;   ///< DmaMap without DmaUnmap.
  std::int64_t total = 0;      ///< Sum of all above.
};

/// Function names are those of the call table or of an extension ("PJRT_Client_Compile",
/// "PJRT_Layouts_MemoryLayout_Serialize"); the leading PJRT_ may be left out. An unknown name aborts the process with a
/// line on stderr: a test must not steer something that does not exist.
struct FakeControl {
  /// sizeof(FakeControl), for a check that test and plugin were built together.
  std::size_t struct_size;

  /// Back to good behaviour and the first configuration: rules, pose, removed slots, settings, call counts, recorded
  /// violations. Releases what is held. Live handles stay as they are. The FAKE_PJRT script is not read again.
  void (*reset)();

  /// Applies a script as FAKE_PJRT holds it. Null when it is well-formed, else what is wrong with it; valid until the next
  /// call on this thread.
  const char* (*script)(const char* text);

  // The call table that GetPjrtApi() hands out from now on. Tables handed out before stay valid, as they were.
  void (*pose)(const FakePose* pose);
  void (*remove)(const char* function);

  // `call` counts from 1, the next call of the function; fake_every_call means every one. `code` is any number;
  // the message needs no NUL and may hold any bytes.
  /// The call returns an error and does nothing. Destroy functions still destroy.
  void (*fail)(const char* function, std::uint64_t call, int code, const char* message, std::size_t message_size);
  /// The call succeeds; the events and buffers that it gives out carry the error.
  void (*fail_later)(const char* function, std::uint64_t call, int code, const char* message, std::size_t message_size);
  /// The call succeeds but leaves an output null. `output` is the member's name; null: the call does nothing and
  /// leaves every output null or zero.
  void (*null_output)(const char* function, const char* output, std::uint64_t call);
  /// Calls block until release().
  void (*hang)(const char* function, std::uint64_t call);

  /// Delays the work that calls start: events happen, data arrives and host memory is read that much later, on a thread of
  /// the plugin. Null for the function: all of them. 0 takes the delay away.
  void (*delay)(const char* function, std::int64_t milliseconds);
  /// Completes, on a thread of the plugin, what is held and lets hanging calls go on; returns when that has run. The
  /// number of things released.
  std::size_t (*release)();
  /// Things held or hanging now.
  std::size_t (*held)();

  // The books.
  FakeLive (*live)();
  /// Calls of a function since reset(), failed ones too; null: of all functions.
  std::uint64_t (*calls)(const char* function);
  /// "PJRT_Client_Create 1\n...", in the order of the table, only what was called. Valid until the next call on this thread.
  const char* (*call_report)();
  /// Misuse since reset(): double destroy, use after destroy, unknown handle, wrong struct_size, ... One line each.
  std::size_t (*violations)();
  const char* (*violation_report)();
  /// The last "create_options" ("name=value\n" each), "compile_options", "program", "program_format", "load_options" or
  /// "execute" ("launch_id=...\n" ...) that arrived, byte for byte. Valid until the next call on this thread.
  const char* (*last)(const char* what, std::size_t* size);
};

/// The exported functions besides GetPjrtApi.
using FakeControlFunction = FakeControl* (*)();
inline constexpr const char* fake_control_symbol = "fake_plugin_control";
