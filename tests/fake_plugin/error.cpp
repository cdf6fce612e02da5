#include "fake_plugin/error.h"

#include <cstdint>

#include "fake_plugin/bodies.h"

namespace fake {
namespace {

// From this version on an error starts with a pointer to functions; before, callers have no business looking inside.
constexpr int first_minor_with_table = 107;

void destroy(abi::PJRT_Error* error) { ledger().take<Error>(error); }

void message(const abi::PJRT_Error* error, const char** text, std::size_t* size) {
  const auto found = ledger().get<Error>(error);
  *text = found->message();
  *size = found->message_size();
}

abi::PJRT_Error_Code get_code(const abi::PJRT_Error* error) {
  return static_cast<abi::PJRT_Error_Code>(ledger().get<Error>(error)->code());
}

constexpr char payload_key[] = "fake.payload";
constexpr char payload_value[] = "what the fake plugin knows besides";

void for_each_payload(const abi::PJRT_Error* error, abi::PJRT_Error_PayloadVisitor visit, void* user) {
  ledger().get<Error>(error);
  visit(payload_key, sizeof payload_key - 1, payload_value, sizeof payload_value - 1, user);
}

const abi::PJRT_Error_FunctionTable function_table = {.instance_size = sizeof(abi::PJRT_Error),
                                                      .destroy = destroy,
                                                      .message = message,
                                                      .get_code = get_code,
                                                      .for_each_payload = for_each_payload};

}  // namespace

Error::Error(const Failure& failure) : Object(Kind::error), code_(failure.code), message_(failure.message) {
  head_.vtable = settings()->minor() >= first_minor_with_table
                     ? &function_table
                     : reinterpret_cast<const abi::PJRT_Error_FunctionTable*>(std::uintptr_t{0x5a5a5a5a});
}

abi::PJRT_Error* give_error(const Failure& failure) {
  return give<abi::PJRT_Error>(std::make_shared<Error>(failure));
}

void run(abi::PJRT_Error_Destroy_Args& args, Call&) { ledger().take<Error>(args.error); }

void run(abi::PJRT_Error_Message_Args& args, Call&) { message(args.error, &args.message, &args.message_size); }

void run(abi::PJRT_Error_GetCode_Args& args, Call&) { args.code = get_code(args.error); }

void run(abi::PJRT_Error_ForEachPayload_Args& args, Call&) {
  if (args.visitor == nullptr) misuse("no visitor");
  for_each_payload(args.error, args.visitor, args.user_arg);
}

}  // namespace fake
