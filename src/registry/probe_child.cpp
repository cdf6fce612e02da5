#include "registry/probe_child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <pier/client.h>
#include <pier/error.h>
#include <pier/plugin.h>

#include "base/file.h"
#include "registry/load_first.h"
#include "registry/probe_protocol.h"

namespace pier::registry {
namespace {

void send(int socket, const std::string& line) { write_all(socket, std::as_bytes(std::span(line)), "the probe's socket"); }

std::string read_line(int socket) {
  std::string line;
  char byte = 0;
  for (;;) {
    const ssize_t got = ::read(socket, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Error(ErrorCode::internal, "the request of a probe is cut off");
    if (byte == '\n') return line;
    line += byte;
  }
}

// A crash shall end this process as such, and at once.
void prepare_process(std::int64_t time_limit_ms) {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM, SIGINT}) std::signal(number, SIG_DFL);
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The parent keeps the time; this is for a parent that is gone.
  ::alarm(static_cast<unsigned>(time_limit_ms / 1000 + 10));
}

ProbeReport ask(int socket, const ProbeRequest& request) {
  send(socket, encode_stage("loading the library"));
  void* const library = ::dlopen(request.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(ErrorCode::not_available, ::dlerror());
  void* const symbol = ::dlsym(library, request.ask.c_str());
  if (!symbol) throw Error(ErrorCode::not_available, request.library + " has no " + request.ask);
  send(socket, encode_stage("asking the library"));
  int number = 0;
  const int code = reinterpret_cast<int (*)(int*)>(symbol)(&number);
  if (code != 0) throw Error(ErrorCode::not_available, request.ask + " returned " + std::to_string(code));
  ProbeReport report;
  report.attributes[request.ask] = std::int64_t{number};
  return report;
}

ProbeReport probe(int socket, const ProbeRequest& request) {
  for (const auto& [name, value] : request.environment) ::setenv(name.c_str(), value.c_str(), 0);
  ProbeReport report;
  if (!request.preload.empty()) {
    send(socket, encode_stage("loading the libraries it needs"));
    load_first({request.preload.begin(), request.preload.end()});
  }
  send(socket, encode_stage("loading the library"));
  const Plugin plugin = Plugin::load(request.library);
  report.api_version = plugin.api_version();
  send(socket, encode_stage("asking the plugin about itself"));
  report.attributes = plugin.attributes();
  report.extensions = plugin.extensions();
  report.missing_functions = plugin.missing_functions();
  if (!request.create_client) return report;

  send(socket, encode_stage("creating a client"));
  // Left alone on purpose: the process ends without destroying it.
  const auto* const client = new Client(Client::create(plugin, request.create_options));
  report.client_created = true;
  send(socket, encode_stage("listing its devices"));
  report.platform_name = client->platform_name();
  report.platform_version = client->platform_version();
  for (const Device& device : client->devices()) report.devices.push_back({device.id(), device.kind(), device.description()});
  return report;
}

}  // namespace

void run_probe_child(int socket) {
  int status = 0;
  try {
    const ProbeRequest request = decode_request(read_line(socket));
    prepare_process(request.time_limit_ms);
    std::string answer;
    try {
      answer = encode(request.ask.empty() ? probe(socket, request) : ask(socket, request));
    } catch (const Error& error) {
      answer = encode(error);
    } catch (const std::exception& error) {
      answer = encode(Error(ErrorCode::internal, error.what()));
    }
    // What is still in stdio's buffers is part of the log.
    std::fflush(nullptr);
    send(socket, answer);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    status = 70;
  }
  std::_Exit(status);
}

}  // namespace pier::registry
