#include "store/http_error.h"

#include "base/text.h"
#include "store/curl.h"

namespace pier {
namespace {

std::string_view meaning(int status) {
  switch (status) {
    case 400: return "bad request";
    case 401: return "credentials are needed";
    case 403: return "forbidden";
    case 404: return "not found";
    case 407: return "the proxy wants credentials";
    case 408: return "the server gave up waiting";
    case 410: return "gone";
    case 416: return "the range cannot be given";
    case 429: return "too many requests";
    case 451: return "unavailable for legal reasons";
    case 500: return "the server failed";
    case 502: return "a gateway got no good answer";
    case 503: return "the server is overloaded or down";
    case 504: return "a gateway timed out";
    default: return status >= 500 ? "the server failed" : status >= 400 ? "refused" : "unexpected";
  }
}

bool is_certificate_failure(int code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR ||
         code == CURLE_SSL_CERTPROBLEM;
}

std::string reason(const HttpFailure& failure) {
  if (failure.stalled) return "no byte arrived for too long";
  if (failure.curl_code != 0) return failure.curl_text;
  std::string out = text("status {} ({})", failure.status, meaning(failure.status));
  if (failure.rate_limited) out += ", the server's rate limit is used up";
  return out;
}

}  // namespace

bool worth_retrying(const HttpFailure& failure) {
  if (failure.stalled) return true;
  switch (failure.curl_code) {
    case 0: break;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
  }
  // A 403 that is a rate limit would only be made worse by asking again at once.
  return failure.status == 408 || failure.status == 429 || failure.status >= 500;
}

NetworkError network_error(const Url& asked, const HttpFailure& failure, int attempts, const HttpSettings& settings) {
  NetworkError error(text("cannot fetch {}: {}", redact_url(asked.text), reason(failure)));
  if (failure.url.text != asked.text && !failure.url.text.empty())
    error.note(text("the server sent us on to {}", redact_url(failure.url.text)));
  if (attempts > 1) error.note(text("{} attempts were made", attempts));
  if (failure.retry_after)
    error.note(text("the server asks to wait {} s (Retry-After) before the next try", failure.retry_after->count()));
  if (is_certificate_failure(failure.curl_code)) {
    error.note(settings.ca.empty() ? text("the server's certificate was checked with the authorities that libcurl was built with")
                                   : text("the server's certificate was checked with {} ({})", settings.ca, settings.ca_from));
    error.note("behind a proxy that inspects traffic, name its authority's file with PIP_CERT, SSL_CERT_FILE or REQUESTS_CA_BUNDLE");
  } else if (failure.curl_code != 0 || failure.stalled) {
    error.note("a proxy is set with HTTPS_PROXY or PIP_PROXY (and NO_PROXY), another index with --index-url or PIER_INDEX_URL");
    error.note("PIER_OFFLINE=1 forbids the network, so that only what is installed is used");
  } else if (failure.status == 401 || failure.status == 407) {
    error.note("credentials are read from the index URL, from ~/.netrc and from the proxy's URL");
  } else if (failure.status == 403 || failure.status == 429) {
    error.note(failure.rate_limited || failure.status == 429
                   ? "wait, or use another index (--index-url or PIER_INDEX_URL)"
                   : "the server or a proxy on the way forbids it: check the proxy, or use another index (--index-url or PIER_INDEX_URL)");
  } else if (failure.status >= 500) {
    error.note("try again later, or use another index (--index-url or PIER_INDEX_URL)");
  } else {
    error.note("check the index: --index-url or PIER_INDEX_URL names another one");
  }
  return error;
}

}  // namespace pier
