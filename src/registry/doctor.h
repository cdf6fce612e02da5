#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <pier/doctor.h>

namespace pier::registry {

// The parts of an examination; each adds to the report what it sees and what is wrong.
void examine_system(const std::filesystem::path& root, DoctorReport& report);
void examine_hardware(const std::filesystem::path& root, DoctorReport& report);
void examine_launchers(DoctorReport& report);
void examine_setup(DoctorReport& report);

// What the NVIDIA driver of a machine can do.
struct CudaDriver {
  int version = 0;      // As cuDriverGetVersion says it: 12020 is 12.2; 0 when not known.
  std::string kernel;   // Version of the kernel module: "535.104.05"; empty when it is not loaded.
};
// `ask`: have libcuda say its version, in a child process.
CudaDriver examine_drivers(const std::filesystem::path& root, bool ask, std::chrono::milliseconds limit, DoctorReport& report);

// The lock by which libtpu keeps its chips to one process: who holds it, or that its holder is gone. `severity`: of what is wrong.
void examine_tpu_lock(const std::filesystem::path& root, Severity severity, const std::string& id, DoctorReport& report);

void examine_plugins(const DoctorOptions& options, const CudaDriver& cuda, DoctorReport& report);

// The first line of a small file of the system, without blanks at its ends; empty when it cannot be read.
std::string first_line(const std::filesystem::path& path);
// Its text, at most 1 MiB.
std::string small_file(const std::filesystem::path& path);

// Where the loader of this machine finds a library; below `root` only the usual folders are looked at when that is not "/".
std::optional<std::filesystem::path> find_library(const std::string& name, const std::filesystem::path& root);

// "12.2" for 12020.
std::string cuda_version_text(int version);

}  // namespace pier::registry
