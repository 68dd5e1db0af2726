// The end of the last thread is the end of the process: main may have ended by pthread_exit.
#pragma once

namespace heddle::runtime {

// No thread is live any more. If all have ended by themselves, one of them continues, to exit.
void exit_after_last();

}  // namespace heddle::runtime
