#pragma once

// A shared pier exports what its public headers declare and nothing else.
#if defined(_WIN32)
#if defined(PIER_BUILDING_SHARED)
#define PIER_API __declspec(dllexport)
#elif defined(PIER_USING_SHARED)
#define PIER_API __declspec(dllimport)
#else
#define PIER_API
#endif
#else
#define PIER_API __attribute__((visibility("default")))
#endif
