#include <algorithm>
#include <charconv>

#include <pier/error.h>

#include "base/env.h"
#include "base/text.h"
#include "store/index.h"
#include "store/pip_config.h"

namespace pier {
namespace {

std::optional<int> whole_number(std::string_view text, int least) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // pip takes fractions of a second; what follows the whole number does not matter here.
  if (error != std::errc() || value < least || (end != text.data() + text.size() && *end != '.')) return std::nullopt;
  return value;
}

IndexConfig::Index main_index(std::string_view given, const PipConfig& pip) {
  if (!given.empty()) return {std::string(given), "--index-url"};
  if (const auto url = get_env("PIER_INDEX_URL")) return {*url, "PIER_INDEX_URL"};
  if (const auto url = get_env("PIP_INDEX_URL")) return {*url, "PIP_INDEX_URL"};
  if (const auto url = get_env("UV_DEFAULT_INDEX")) {
    // uv lets a name stand before the URL: "corp=https://...".
    const std::size_t equals = url->find('=');
    const bool named = equals != std::string::npos && equals < url->find(':');
    return {named ? url->substr(equals + 1) : *url, "UV_DEFAULT_INDEX"};
  }
  if (const auto url = get_env("UV_INDEX_URL")) return {*url, "UV_INDEX_URL"};
  if (const auto setting = pip.get("index-url")) return {setting->value, setting->from};
  return {PIER_DEFAULT_INDEX_URL, "the index that pier was built for"};
}

// As pip chooses: its own setting, then what the library under it reads; SSL_CERT_* are OpenSSL's.
void choose_authorities(HttpSettings& http, const PipConfig& pip) {
  if (const auto setting = pip.get("cert")) {
    http.ca = setting->value;
    http.ca_from = setting->from;
    return;
  }
  for (const char* variable : {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"}) {
    if (const auto value = get_env(variable)) {
      http.ca = *value;
      http.ca_from = variable;
      return;
    }
  }
}

}  // namespace

bool is_offline(const InstallOptions& options) { return options.offline || env_flag("PIER_OFFLINE"); }

IndexConfig index_config(std::string_view index_url, const std::vector<std::string>& find_links) {
  const PipConfig pip = PipConfig::of_machine();
  IndexConfig config;
  if (index_url.empty() && !get_env("PIER_INDEX_URL") && pip.flag("no-index")) {
    config.no_index = pip.get("no-index")->from;
  } else {
    config.indexes.push_back(main_index(index_url, pip));
    if (config.indexes.front().url.empty()) config.indexes.clear();
    // Whoever names the index by hand wants that one only.
    if (index_url.empty())
      for (const PipSetting& extra : pip.list("extra-index-url")) config.indexes.push_back({extra.value, extra.from});
  }
  for (const std::string& place : find_links) config.find_links.push_back({place, "--find-links"});
  for (const PipSetting& place : pip.list("find-links")) config.find_links.push_back({place.value, place.from});

  choose_authorities(config.http, pip);
  if (const auto proxy = pip.get("proxy")) config.http.proxy = proxy->value;
  for (const PipSetting& host : pip.list("trusted-host")) config.http.trusted_hosts.push_back(host.value);
  if (const auto timeout = pip.get("timeout"))
    if (const auto seconds = whole_number(timeout->value, 1)) {
      // pip's timeout is for each wait on the network, not for the whole.
      config.http.connect_timeout = std::chrono::seconds(std::min(*seconds, 3600));
      config.http.stall_timeout = std::chrono::seconds(std::min(*seconds, 3600));
    }
  if (const auto retries = pip.get("retries"))
    if (const auto count = whole_number(retries->value, 0)) config.http.attempts = std::min(*count, 100) + 1;
  return config;
}

}  // namespace pier
