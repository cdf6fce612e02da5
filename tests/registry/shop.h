#pragma once

#include <memory>
#include <string>

#include "base/platform.h"
#include "registry/home.h"
#include "store/home.h"

namespace registry_test {

/// A machine with an index on 127.0.0.1 that sells one package, and a catalog folder for entries that pin it.
class Shop : public Home {
 protected:
  /// Puts a wheel with that library on the index and remembers its pin.
  void sell(const std::string& fake_library = "fake_plugin.so", const std::string& platform = to_string(pier::host_platform())) {
    const std::string bytes = pier::test::read_text(std::filesystem::path(FAKE_PLUGIN_DIR) / fake_library);
    const std::string wheel = pier::test::WheelBuilder("test_plugin", "1.0").file("zap/libzap.so", bytes).build();
    request_.id = "zap";
    request_.pin = {"test-plugin", "1.0", "test_plugin-1.0-py3-none-any.whl", wheel.size(), pier::test::sha256_hex(wheel),
                    "zap/libzap.so", platform, "", 0};
    server_ = std::make_unique<pier::test::Server>(pier::test::index_of(request_, wheel));
    set("PIER_INDEX_URL", server_->url("/simple"));
  }

  /// An index that must not be asked.
  void sell_nothing() {
    server_ = std::make_unique<pier::test::Server>([](const pier::test::Request&) { return pier::test::Reply{500, {}, "nobody may ask", {}, false, {}, {}, 0, {}}; });
    set("PIER_INDEX_URL", server_->url("/simple"));
  }

  std::size_t requests() const { return server_->requests().size(); }

  /// Writes an entry that pins what is sold; `head`, `package` and `file` are more keys of the tables.
  void list(const std::string& id, const std::string& head, const std::string& package = "", const std::string& file = "") {
    const pier::Pin& pin = request_.pin;
    write_file(folder() / "catalog" / (id + ".toml"),
               "format = 1\nid = \"" + id + "\"\n" + head + "\n[[package]]\nname = \"" + pin.package + "\"\nversion = \"" + pin.version +
                   "\"\n" + package + "\n[[package.file]]\nplatform = \"" + pin.platform + "\"\nfile = \"" + pin.file +
                   "\"\nsize = " + std::to_string(pin.size) + "\nsha256 = \"" + pin.sha256 + "\"\nmember = \"" + pin.member + "\"\n" + file + "\n");
    set("PIER_CATALOG", folder() / "catalog");
  }

  /// Catalog and index where the CPU plugin is the fake one.
  void sell_cpu(const std::string& package = "") {
    sell();
    list("cpu", "seen = [\"always\"]\npriority = 100\nfetch_unasked = true", package);
  }

 private:
  pier::PluginRequest request_;
  std::unique_ptr<pier::test::Server> server_;
};

}  // namespace registry_test
