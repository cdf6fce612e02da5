#pragma once

#include <cstddef>
#include <cstring>

#include "abi/pjrt.h"

namespace pier::abi {

/// Zeroed bytes that follow every argument struct: a plugin newer than these declarations may look there for members that
/// read as zero, or write them. PJRT_ExecuteOptions grew most, by 88 bytes in 77 minor versions.
inline constexpr std::size_t slack_bytes = 128;

namespace detail {

struct Slack {
  // In steps that the compiler makes vector stores of: for the whole it calls memset or makes a string instruction, and a
  // call of a plugin has three such blocks.
  Slack() noexcept {
    for (std::size_t i = 0; i < slack_bytes; i += 16) std::memset(bytes + i, 0, 16);
  }
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
