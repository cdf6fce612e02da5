#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "fake_plugin/bodies.h"
#include "fake_plugin/client.h"

namespace fake {
namespace {

// From this version on a memory starts with a pointer to functions; before, callers have no business looking inside.
constexpr int first_minor_with_table = 105;

struct UserData {
  void* data = nullptr;
  void (*deleter)(void*) = nullptr;
};

struct UserTable {
  std::mutex mutex;
  std::map<std::pair<const void*, const void*>, UserData> values;
};

UserTable& user_table() {
  static UserTable& table = *new UserTable;
  return table;
}

void* get_user_data(abi::PJRT_Memory* memory, const void* key) {
  UserTable& table = user_table();
  const std::lock_guard lock(table.mutex);
  const auto found = table.values.find({memory, key});
  return found == table.values.end() ? nullptr : found->second.data;
}

void set_user_data(abi::PJRT_Memory* memory, const void* key, void* data, void (*deleter)(void*)) {
  UserTable& table = user_table();
  UserData old;
  {
    const std::lock_guard lock(table.mutex);
    old = std::exchange(table.values[{memory, key}], UserData{data, deleter});
  }
  if (old.deleter != nullptr) old.deleter(old.data);
}

const abi::PJRT_Memory_FunctionTable function_table = {.instance_struct_size = sizeof(abi::PJRT_Memory),
                                                       .get_user_data = get_user_data,
                                                       .set_user_data = set_user_data};

}  // namespace

Memory::Memory(int number, std::string_view kind_name, int kind_number, Device& its_device, const void* client)
    : Object(Kind::memory, client),
      id(number),
      kind(kind_name),
      kind_id(kind_number),
      debug_string(std::string(kind_name) + " memory of device " + std::to_string(its_device.description->id)),
      to_string("FakeMemory(id=" + std::to_string(number) + ")"),
      device(its_device),
      devices{handle_of<abi::PJRT_Device>(its_device)} {
  head_.vtable = settings()->minor() >= first_minor_with_table
                     ? &function_table
                     : reinterpret_cast<const abi::PJRT_Memory_FunctionTable*>(std::uintptr_t{0x5a5a5a5a});
}

void Memory::retire() {
  std::vector<UserData> gone;
  {
    UserTable& table = user_table();
    const std::lock_guard lock(table.mutex);
    for (auto value = table.values.begin(); value != table.values.end();) {
      const bool ours = value->first.first == handle();
      if (ours) gone.push_back(value->second);
      value = ours ? table.values.erase(value) : std::next(value);
    }
  }
  for (const UserData& value : gone) {
    if (value.deleter != nullptr) value.deleter(value.data);
  }
}

void run(abi::PJRT_Memory_Id_Args& args, Call&) { args.id = ledger().get<Memory>(args.memory)->id; }

void run(abi::PJRT_Memory_Kind_Args& args, Call&) {
  const auto memory = ledger().get<Memory>(args.memory);
  args.kind = memory->kind.data();
  args.kind_size = memory->kind.size();
}

void run(abi::PJRT_Memory_Kind_Id_Args& args, Call&) { args.kind_id = ledger().get<Memory>(args.memory)->kind_id; }

void run(abi::PJRT_Memory_DebugString_Args& args, Call&) {
  const auto memory = ledger().get<Memory>(args.memory);
  args.debug_string = memory->debug_string.data();
  args.debug_string_size = memory->debug_string.size();
}

void run(abi::PJRT_Memory_ToString_Args& args, Call&) {
  const auto memory = ledger().get<Memory>(args.memory);
  args.to_string = memory->to_string.data();
  args.to_string_size = memory->to_string.size();
}

void run(abi::PJRT_Memory_AddressableByDevices_Args& args, Call&) {
  const auto memory = ledger().get<Memory>(args.memory);
  args.devices = memory->devices;
  args.num_devices = 1;
}

}  // namespace fake
