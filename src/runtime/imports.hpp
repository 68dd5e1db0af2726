// What a program can do, by the functions that it and its libraries ask for.
#pragma once

namespace heddle::runtime {

// False only if nothing that is loaded, beside the system's own libraries, calls anything that
// could open a file.
bool may_open_files();

}  // namespace heddle::runtime
