// One run on an HTML page: its rows, their links, and the files and stacks that they name.
//
// Ids within the page are made of numbers only: "r1-s5" is row 5 of the trace of the first run,
// "r1-f0-12" line 12 of its first file, "r1-k3" its stack 3.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "findings/finding.hpp"
#include "report/json.hpp"
#include "report/links.hpp"
#include "report/source.hpp"

namespace heddle::report {

class PageRun {
 public:
  struct File {
    std::string name;             // for people
    std::string path;             // where it is
    std::vector<unsigned> lines;  // that rows name
  };

  // REQUIRES: trace and sources outlive it. `number` counts the runs of a page from 1.
  PageRun(std::size_t number, const findings::Trace& trace, Sources& sources);

  const findings::Trace& trace() const { return trace_; }
  const std::vector<std::vector<Link>>& links() const { return links_; }
  const std::string& id() const { return id_; }
  const std::vector<File>& files() const { return files_; }

  // The elements of the drawing, without the source.
  std::string html() const;
  // What the script needs.
  Json data() const;
  // "step 5", linked to its row; without a link if the row is not on the page.
  std::string link_to(std::size_t row) const;
  // Linked to a line of a file; empty if the place is not known.
  std::string link_to(const findings::Place& place) const;
  // "thread 2 (take)".
  std::string thread_name(unsigned thread) const;

 private:
  struct Index;  // of objects, for the script

  void choose_columns();
  void choose_kept();
  void collect_files_and_stacks();
  bool is_wanted(std::size_t row) const { return row >= first_; }
  std::size_t column_of(unsigned thread) const;
  std::string heads() const;
  std::string tools() const;
  std::string rows() const;
  std::string row_html(std::size_t row) const;
  std::string gap_html(std::size_t begin, std::size_t end) const;
  std::string notes_of(std::size_t row) const;
  std::string stacks() const;
  Json row_data(std::size_t row, Index& index) const;

  const findings::Trace& trace_;
  Sources& sources_;
  std::string id_;
  std::vector<std::vector<Link>> links_;
  std::size_t first_ = 0;          // row that is on the page
  std::vector<unsigned> threads_;  // that have rows or are named, each with a column
  std::vector<bool> kept_;         // rows that are shown while others are folded
  std::vector<File> files_;
  std::map<std::string, std::size_t> file_of_;  // by the name for people
  std::vector<const std::vector<findings::Place>*> stacks_;
  std::vector<std::optional<std::size_t>> stack_of_;  // of each row
};

}  // namespace heddle::report
