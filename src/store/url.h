#pragma once

#include <string>
#include <string_view>

namespace pier {

// A URL taken apart by libcurl, so that what is checked here is what is fetched. Only http, https and file.
struct Url {
  std::string text;      // whole, without credentials and fragment
  std::string scheme;    // lower case
  std::string host;      // lower case; empty for file
  std::string origin;    // scheme, host and port: whom credentials belong to
  std::string path;      // decoded
  std::string fragment;  // decoded
  std::string user;      // decoded
  std::string password;  // decoded

  bool is_file() const { return scheme == "file"; }
  // The decoded last part of the path: a file's name.
  std::string_view file_name() const;
};

// Throws Error (invalid_argument) that never shows credentials.
Url parse_url(std::string_view text);

// A link that stands on the page `base`: absolute, or relative to it.
Url resolve_url(const Url& base, std::string_view reference);

// The text without user, password, query and fragment, for messages; also for text that is no proper URL.
std::string redact_url(std::string_view text);

// "%20" and the like decoded; a % that is no code stays.
std::string percent_decode(std::string_view text);

// "https://..." and the like, as opposed to a path.
bool looks_like_url(std::string_view text);

// A path or a file:// URL: of this machine.
bool is_local(std::string_view place);

}  // namespace pier
