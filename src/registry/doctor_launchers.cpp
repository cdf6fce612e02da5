#include <array>
#include <charconv>

#include "base/env.h"
#include "base/text.h"
#include "registry/doctor.h"

namespace pier::registry {
namespace {

// How one launcher tells a process who it is. The first variable is the sign, all that are named are shown.
struct Launcher {
  const char* name;
  const char* sign;
  const char* sign_begins_with;  // Empty: any value.
  const char* rank;
  const char* size;
  const char* local_rank;
};

// The more special comes first: Open MPI sets PMIx's variables, too, and SLURM may start either. Open MPI 5 starts processes by PRRTE, whose
// namespaces are called so; 4 names the place of its own daemon. A batch script of SLURM has no step.
constexpr std::array launchers = {
    Launcher{"Open MPI 5", "PMIX_NAMESPACE", "prterun-", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"Open MPI 4", "OMPI_MCA_orte_hnp_uri", "", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"Open MPI", "OMPI_COMM_WORLD_RANK", "", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"SLURM", "SLURM_STEP_ID", "", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
    Launcher{"MPICH or Intel MPI", "PMI_SIZE", "", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    Launcher{"PMIx", "PMIX_NAMESPACE", "", "PMIX_RANK", "", ""},
    Launcher{"torchrun", "TORCHELASTIC_RUN_ID", "", "RANK", "WORLD_SIZE", "LOCAL_RANK"},
    Launcher{"Cloud TPU", "TPU_WORKER_HOSTNAMES", "", "TPU_WORKER_ID", "", ""},
};

bool is_number(const std::string& value) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

}  // namespace

void examine_launchers(DoctorReport& report) {
  for (const Launcher& launcher : launchers) {
    const auto sign = get_env(launcher.sign);
    const auto rank = get_env(launcher.rank);
    if (!sign || !sign->starts_with(launcher.sign_begins_with) || !rank) continue;
    std::string value;
    std::string how = launcher.sign;
    const auto show = [&](const char* word, const char* variable) {
      const auto number = get_env(variable);
      if (!number) return;
      value += value.empty() ? text("{} {}", word, *number) : text(", {} {}", word, *number);
      if (how != variable) how += text(", {}", variable);
      if (!is_number(*number))
        report.problems.push_back({Severity::warning, "", text("{} is '{}', which is no number", variable, *number), text("unset {}", variable)});
    };
    show("rank", launcher.rank);
    if (*launcher.size) show("of", launcher.size);
    if (*launcher.local_rank) show("on this machine", launcher.local_rank);
    report.launchers.push_back({launcher.name, value, how});
  }
  if (report.launchers.empty() && get_env("SLURM_JOB_ID"))
    report.launchers.push_back({"SLURM", "in an allocation, and not started by srun", "SLURM_JOB_ID"});
}

}  // namespace pier::registry
