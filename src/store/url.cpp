#include "store/url.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/curl.h"

namespace pier {
namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl().url_cleanup(url); }
};
using Handle = std::unique_ptr<CURLU, FreeUrl>;

std::string part(const Handle& handle, CURLUPart which, unsigned flags = 0) {
  char* value = nullptr;
  if (curl().url_get(handle.get(), which, &value, flags) != CURLUE_OK || !value) return {};
  const std::unique_ptr<char, decltype(curl().free)> owner(value, curl().free);
  return value;
}

// Whether libcurl reads it as a URL, of whatever scheme.
bool is_proper(std::string_view text) {
  try {
    const Handle handle(curl().url());
    return handle && text.find('\0') == std::string_view::npos && text.find("://") != std::string_view::npos &&
           curl().url_set(handle.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  } catch (const Error&) {
    // Without libcurl the careful reading is good enough for a message.
    return false;
  }
}

[[noreturn]] void refuse(std::string_view text) {
  throw Error(ErrorCode::invalid_argument, pier::text("not a usable URL: {}", redact_url(text)))
      .note("pier fetches from http://, https:// and file:// URLs");
}

void set(const Handle& handle, CURLUPart which, std::string_view value, std::string_view shown) {
  if (value.find('\0') != std::string_view::npos) refuse(shown);
  // Links on pages hold spaces now and then; they are sent as %20.
  if (curl().url_set(handle.get(), which, std::string(value).c_str(), CURLU_URLENCODE) != CURLUE_OK) refuse(shown);
}

Url take_apart(const Handle& handle, std::string_view shown) {
  Url url;
  url.scheme = lower_ascii(part(handle, CURLUPART_SCHEME));
  if (url.scheme != "http" && url.scheme != "https" && url.scheme != "file") refuse(shown);
  url.host = lower_ascii(part(handle, CURLUPART_HOST));
  if (!url.is_file() && url.host.empty()) refuse(shown);
  url.user = part(handle, CURLUPART_USER, CURLU_URLDECODE);
  url.password = part(handle, CURLUPART_PASSWORD, CURLU_URLDECODE);
  url.fragment = part(handle, CURLUPART_FRAGMENT, CURLU_URLDECODE);
  url.path = part(handle, CURLUPART_PATH, CURLU_URLDECODE);
  if (url.path.empty()) url.path.assign(1, '/');
  if (!url.is_file())
    url.origin = text("{}://{}:{}", url.scheme, url.host, part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT));
  if (!url.is_file()) curl().url_set(handle.get(), CURLUPART_HOST, url.host.c_str(), 0);
  for (const CURLUPart secret : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT})
    curl().url_set(handle.get(), secret, nullptr, 0);
  url.text = part(handle, CURLUPART_URL);
  if (url.text.empty()) refuse(shown);
  return url;
}

Handle new_handle() {
  Handle handle(curl().url());
  if (!handle) throw Error(ErrorCode::resource_exhausted, "no memory for a URL").in_function("curl_url");
  return handle;
}

}  // namespace

std::string_view Url::file_name() const {
  const std::string_view all = path;
  const std::size_t slash = all.rfind('/');
  return slash == std::string_view::npos ? all : all.substr(slash + 1);
}

Url parse_url(std::string_view text) {
  if (!looks_like_url(text)) refuse(text);
  // libcurl forgives "https:///host", which others read as no host at all.
  if (text.substr(text.find("://") + 3).starts_with('/') && !is_local(text)) refuse(text);
  const Handle handle = new_handle();
  set(handle, CURLUPART_URL, text, text);
  return take_apart(handle, text);
}

Url resolve_url(const Url& base, std::string_view reference) {
  if (base.is_file()) {
    if (looks_like_url(reference)) return parse_url(reference);
    // libcurl leaves "//host/x" and friends of a file page alone; a plain relative path is all that such a page needs.
    if (reference.starts_with("//")) refuse(reference);
  }
  const Handle handle = new_handle();
  set(handle, CURLUPART_URL, base.text, base.text);
  if (!reference.empty()) set(handle, CURLUPART_URL, reference, reference);
  return take_apart(handle, reference);
}

std::string redact_url(std::string_view text) {
  const std::size_t scheme = text.find("://");
  const std::size_t start = scheme == std::string_view::npos ? 0 : scheme + 3;
  std::size_t host = start;
  // In a proper URL an @ behind the host belongs to the path. A password may hold / ? # unescaped, which makes it none: then
  // nothing that stands before the last @ is shown.
  const std::size_t end = is_proper(text) ? std::min(text.find_first_of("/?#", start), text.size()) : text.size();
  const bool is_path = scheme == std::string_view::npos && (text.starts_with('/') || text.starts_with('.'));
  const std::size_t at = text.substr(0, end).rfind('@');
  if (!is_path && at != std::string_view::npos && at >= start) host = at + 1;
  const std::size_t stop = is_path ? text.size() : std::min(text.find_first_of("?#", host), text.size());
  std::string out(text.substr(0, start));
  out += text.substr(host, stop - host);
  std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  return out;
}

std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(static_cast<unsigned char>(value));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool looks_like_url(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos || scheme < 2) return false;
  return std::ranges::all_of(text.substr(0, scheme), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
}

bool is_local(std::string_view place) { return !looks_like_url(place) || lower_ascii(place.substr(0, 5)) == "file:"; }

}  // namespace pier
