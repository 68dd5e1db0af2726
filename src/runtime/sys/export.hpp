// Functions that programs under test see in place of those of the C library.
#pragma once

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
