// Many engines, in virtual time, with the very decisions of the pool (parallel/dispatcher.hpp) or
// of a broker's workers (cluster/portions.hpp). Every message is handled by one server, one after
// the other. Not simulated: that the time of a run varies, deaths of engines, findings.
#pragma once

#include "cubes/subject.hpp"

namespace heddle::cubes {

// How engines and the server talk.
struct Link {
  double delay = 0;    // seconds, one way
  double service = 0;  // of a message, by the server
  double tell = 0;     // an engine tells how far it is this often
  double start = 0;    // until engines are there
};

// Processes of one machine.
Link local();
// A broker, as measured on the machine of docs/performance.md.
Link broker(unsigned engines);

struct Setting {
  unsigned engines = 1;
  double run = 0;  // seconds
  Link link;
};

struct Simulated {
  double seconds = 0;
  double counted = 0;    // runs of cubes that were explored to their end
  double made = 0;       // runs, with all that was thrown away
  double cubes = 0;      // that were explored to their end
  double messages = 0;   // that the server handled
  double nodes = 0;      // of one tree, at most
  std::size_t open = 0;  // cubes that wait, at most
};

// Processes that do what a dispatcher orders.
Simulated simulate(const Subject& subject, const Setting& setting);
// Workers that claim cubes.
Simulated simulate_cluster(const Subject& subject, const Setting& setting);

}  // namespace heddle::cubes
