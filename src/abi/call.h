#pragma once

#include <cstddef>

#include "abi/pjrt.h"

namespace pier::abi {

/// Zeroed bytes that follow every argument struct. Plugins up to 0.86 write past a shorter struct of their caller, and a
/// plugin newer than these declarations may look for members that read as zero here.
inline constexpr std::size_t slack_bytes = 256;

namespace detail {

// Not inline: of a size that it sees, GCC makes a string instruction that takes five times as long as the library's memset.
void clear(void* memory, std::size_t size) noexcept;

struct Slack {
  Slack() noexcept { clear(bytes, sizeof bytes); }
  std::byte bytes[slack_bytes];
};

}  // namespace detail

/// An argument struct with its slack: what call_into takes. Members start as zero, struct_size as the newest size.
template <class Args>
struct Block {
  Args args{};
  detail::Slack slack{};
};

namespace detail {

template <class Member>
struct FunctionMember;

template <class OwnerType, class ResultType, class ArgsType>
struct FunctionMember<ResultType (*OwnerType::*)(ArgsType*)> {
  using Owner = OwnerType;
  using Result = ResultType;
  using Args = ArgsType;
};

}  // namespace detail

/// The argument struct of a function named by its member: ArgsOf<&Api::PJRT_Client_Compile>.
template <auto Function>
using ArgsOf = typename detail::FunctionMember<decltype(Function)>::Args;

template <auto Function>
using ResultOf = typename detail::FunctionMember<decltype(Function)>::Result;

/// The struct that holds the function: Api, or the entry of an extension.
template <auto Function>
using OwnerOf = typename detail::FunctionMember<decltype(Function)>::Owner;

/// What these declarations send as struct_size.
template <class Args>
inline constexpr std::size_t newest_size = Args{}.struct_size;

}  // namespace pier::abi
