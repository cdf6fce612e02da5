#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <pier/client.h>
#include <pier/error.h>
#include <pier/log.h>

#include "abi/call.h"
#include "abi/pjrt.h"
#include "fake_plugin/control.h"
#include "fake_plugin/loader.h"

namespace pier::test {

/// The error that the work throws.
template <class Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  throw std::logic_error("no pier::Error was thrown");
}

inline Module program(const std::string& words, const std::string& name = "module") {
  return Module::from_bytes("module { // " + words + "\n}", name);
}

inline std::vector<float> floats(const Array& array) {
  const Array dense = array.row_major();
  const auto values = dense.values<float>();
  return {values.begin(), values.end()};
}

inline Array ramp(std::int64_t count, float first = 0) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
  return Array::from(values, {count});
}

/// Message with everything that gets lost when somebody counts to the first NUL or cuts at some length.
inline std::string long_message() {
  std::string message = "Speicher ist voll: Größe 寸法 ";
  for (int i = 0; i < 3000; ++i) message += "…und weiter ";
  return message + "bis hierher";
}

/// A test against the fake plugin. In the end nothing may be left and nothing may have been done wrong.
class FakeTest : public testing::Test {
 protected:
  FakeTest() : fake(fake::Library::shared()) {
    set_log_callback([this](LogLevel level, std::string_view message) {
      if (level >= LogLevel::warning) logged.emplace_back(message);
    });
  }
  // Here and not in TearDown(), so that the things of the test's own class are gone.
  ~FakeTest() override {
    set_log_callback(nullptr);
    const FakeLive live = fake->live();
    EXPECT_EQ(live.total, 0) << "clients " << live.clients << ", buffers " << live.buffers << ", events " << live.events
                             << ", executables " << live.executables << "+" << live.loaded_executables << ", errors " << live.errors;
    EXPECT_EQ(fake->violations(), 0u) << fake->violation_report();
    EXPECT_THAT(logged, testing::IsEmpty());
    fake->reset();
  }

  Plugin plugin() const { return Plugin::from_api(fake.api(), fake.path().string()); }
  Client connect(const Attributes& options = {}) const { return Client::create(plugin(), options); }
  void script(const std::string& text) const { ASSERT_EQ(fake->script(text.c_str()), nullptr); }
  void fail(const char* function, int code, const std::string& message = "told so", std::uint64_t call = 1) const {
    fake->fail(function, call, code, message.data(), message.size());
  }
  void fail_later(const char* function, int code, const std::string& message = "told so", std::uint64_t call = 1) const {
    fake->fail_later(function, call, code, message.data(), message.size());
  }

  fake::Library& fake;
  std::vector<std::string> logged;
};

/// The fake plugin's table with one function that lies: it does its work, then what it answers is changed.
template <auto Function>
class Lie {
 public:
  using Args = abi::ArgsOf<Function>;

  /// The table; it stays for the rest of the process, as plugins' tables do.
  static const void* told_to(const void* truthful, std::function<void(Args&)> change) {
    auto* const table = new abi::Api(*static_cast<const abi::Api*>(truthful));
    original_ = table->*Function;
    change_ = std::move(change);
    table->*Function = call;
    kept_.push_back(table);
    return table;
  }

 private:
  static abi::PJRT_Error* call(Args* args) {
    abi::PJRT_Error* const error = original_(args);
    if (error == nullptr) change_(*args);
    return error;
  }

  static inline abi::PJRT_Error* (*original_)(Args*) = nullptr;
  static inline std::function<void(Args&)> change_;
  static inline std::vector<abi::Api*> kept_;
};

}  // namespace pier::test
