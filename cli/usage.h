#pragma once

#include <exception>
#include <string>
#include <utility>

namespace pier::cli {

/// The command line is wrong: a missing argument, an unknown option, a value of the wrong form. Exit code 2.
class UsageError : public std::exception {
 public:
  UsageError(std::string verb, std::string message) : verb_(std::move(verb)), message_(std::move(message)) {}
  /// The verb whose help tells more, or empty.
  const std::string& verb() const noexcept { return verb_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string verb_;
  std::string message_;
};

}  // namespace pier::cli
