#include "store/home.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <unistd.h>

#include "store/version.h"

namespace pier::test {

void set_env(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
void unset_env(const char* name) { ::unsetenv(name); }

Home::Home() {
  std::string name = (std::filesystem::temp_directory_path() / "pier store \xc3\xbc XXXXXX").native();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
  path_ = name;
  for (const char* variable :
       {"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "PIP_CERT", "PIP_PROXY", "PIP_TRUSTED_HOST",
        "PIP_TIMEOUT", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIER_INDEX_URL", "PIER_OFFLINE",
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "VIRTUAL_ENV", "NETRC", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"})
    unset_env(variable);
  set_env("PIP_CONFIG_FILE", "/dev/null");
  set_env("PIER_HOME", path_.native());
  set_env("HOME", path_.native());
  set_env("XDG_CONFIG_DIRS", (path_ / "no system folder").native());
}

Home::~Home() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Server::Handler index_of(const PluginRequest& request, const std::string& wheel, std::function<Reply(const Request&)> file) {
  const std::string name = request.pin.file;
  const std::string page = R"({"meta": {"api-version": "1.1"}, "name": "test-plugin", "files": [{"filename": ")" + name +
                           R"(", "url": "../../files/)" + name + R"(", "hashes": {"sha256": ")" + request.pin.sha256 +
                           R"("}, "size": )" + std::to_string(request.pin.size) + R"(, "yanked": false}]})";
  return [=](const Request& asked) -> Reply {
    if (asked.path == "/simple/test-plugin/")
      return {.status = 200, .headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}}, .body = page};
    if (asked.path == "/files/" + name) return file ? file(asked) : with_ranges(asked, wheel);
    return {.status = 404, .headers = {}, .body = "no such page"};
  };
}

Server::Handler index_of_all(std::vector<Goods> goods, std::function<std::optional<Reply>(const Goods&, const Request&)> file) {
  return [=](const Request& asked) -> Reply {
    std::string page;
    for (const Goods& one : goods) {
      if (asked.path == "/simple/" + normalize_name(one.pin.package) + "/")
        page += (page.empty() ? "" : ",") + std::string(R"({"filename": ")") + one.pin.file + R"(", "url": "/files/)" + one.pin.file +
                R"(", "hashes": {"sha256": ")" + one.pin.sha256 + R"("}, "size": )" + std::to_string(one.pin.size) + "}";
      if (asked.path != "/files/" + one.pin.file) continue;
      if (file)
        if (auto reply = file(one, asked)) return *reply;
      return with_ranges(asked, one.bytes);
    }
    if (page.empty()) return {.status = 404, .headers = {}, .body = "no such page"};
    return {.status = 200, .headers = {{"Content-Type", "application/vnd.pypi.simple.v1+json"}}, .body = R"({"files": [)" + page + "]}"};
  };
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
}

int temporaries_below(const std::filesystem::path& folder) {
  int count = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().native().starts_with(".pier-")) ++count;
  return count;
}

}  // namespace pier::test
