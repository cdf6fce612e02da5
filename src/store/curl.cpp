#include "store/curl.h"

#include <pier/error.h>

#include "base/late.h"

namespace pier {
namespace {

Curl load() {
  const LateLibrary library({PIER_CURL_NAMES}, "libcurl (Debian, Ubuntu: libcurl4)");
  // Not thread-safe in older versions, so it happens once, here.
  if (library.symbol<decltype(&::curl_global_init)>("curl_global_init")(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    throw Error(ErrorCode::not_available, "libcurl cannot be initialised").in_function("curl_global_init");
  return {
      .easy_init = library.symbol<decltype(&::curl_easy_init)>("curl_easy_init"),
      .easy_reset = library.symbol<decltype(&::curl_easy_reset)>("curl_easy_reset"),
      .easy_cleanup = library.symbol<decltype(&::curl_easy_cleanup)>("curl_easy_cleanup"),
      .easy_setopt = library.symbol<decltype(&::curl_easy_setopt)>("curl_easy_setopt"),
      .easy_getinfo = library.symbol<decltype(&::curl_easy_getinfo)>("curl_easy_getinfo"),
      .easy_perform = library.symbol<decltype(&::curl_easy_perform)>("curl_easy_perform"),
      .easy_strerror = library.symbol<decltype(&::curl_easy_strerror)>("curl_easy_strerror"),
      .slist_append = library.symbol<decltype(&::curl_slist_append)>("curl_slist_append"),
      .slist_free_all = library.symbol<decltype(&::curl_slist_free_all)>("curl_slist_free_all"),
      .url = library.symbol<decltype(&::curl_url)>("curl_url"),
      .url_cleanup = library.symbol<decltype(&::curl_url_cleanup)>("curl_url_cleanup"),
      .url_get = library.symbol<decltype(&::curl_url_get)>("curl_url_get"),
      .url_set = library.symbol<decltype(&::curl_url_set)>("curl_url_set"),
      .free = library.symbol<decltype(&::curl_free)>("curl_free"),
  };
}

}  // namespace

const Curl& curl() {
  static const Curl functions = load();
  return functions;
}

}  // namespace pier
