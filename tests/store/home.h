#pragma once

#include <filesystem>
#include <string>

#include "store/server.h"
#include "store/wheel.h"

namespace pier::test {

// A fresh home for the store in a folder with a space and a letter beyond ASCII, and an environment in which no setting of
// the machine's own pip, proxies or authorities counts.
class Home {
 public:
  Home();
  ~Home();
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path data() const { return path_ / "data"; }
  std::filesystem::path cache() const { return path_ / "cache"; }
  std::filesystem::path config() const { return path_ / "config"; }

 private:
  std::filesystem::path path_;
};

void set_env(const char* name, const std::string& value);
void unset_env(const char* name);

// An index with one project, and its file under /files/. The file is served by `file`, or whole and with ranges.
Server::Handler index_of(const PluginRequest& request, const std::string& wheel,
                         std::function<Reply(const Request&)> file = {});

// A file on an index.
struct Goods {
  Pin pin;
  std::string bytes;
};

// An index with a project for each file; `file` may answer for the bytes of one instead.
Server::Handler index_of_all(std::vector<Goods> goods, std::function<std::optional<Reply>(const Goods&, const Request&)> file = {});

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view text);

// Names below the folder that begin with ".pier-": what interrupted work leaves.
int temporaries_below(const std::filesystem::path& folder);

}  // namespace pier::test
