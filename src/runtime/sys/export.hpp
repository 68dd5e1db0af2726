// Functions that programs under test see in place of the C library's.
#pragma once

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
