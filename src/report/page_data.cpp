// What the script of a page knows of a run. Keys are short, since there are thousands of rows:
// of a row, t: thread, k: kind, n: number, f and l: file and line, s: stack, later: whether it is
// after the finding, a: actions (object, verb, value before and after), x: links (kind, row).
#include <map>
#include <tuple>

#include "findings/phrases.hpp"
#include "report/markup.hpp"
#include "report/page_run.hpp"
#include "report/page_stacks.hpp"

namespace heddle::report {

using findings::Object;
using findings::Row;

struct PageRun::Index {
  using Key = std::tuple<ObjectClass, std::uint64_t, std::string>;

  std::size_t of(const Object& object) {
    const auto [at, fresh] =
        number.try_emplace(Key{object.kind, object.address, object.name}, objects.size());
    const bool is_thread = object.kind == ObjectClass::thread;
    if (fresh)
      objects.push_back(Json::array(
          {visible((is_thread ? "thread " : "") + object.name), findings::name_of(object.kind)}));
    return at->second;
  }

  std::map<Key, std::size_t> number;
  Json objects = Json::array();  // [name, kind]
};

Json PageRun::row_data(std::size_t k, Index& index) const {
  constexpr const char* kinds[] = {"step", "access", "waits", "finding"};
  const Row& row = trace_.rows[k];
  Json out = {{"t", row.thread}, {"k", kinds[static_cast<std::size_t>(row.kind)]}};
  if (row.number != 0) out["n"] = row.number;
  if (row.place.is_known()) {
    out["f"] = file_of_.at(row.place.file);
    out["l"] = row.place.line;
  }
  if (stack_of_[k]) out["s"] = *stack_of_[k];
  if (k >= trace_.end) out["later"] = 1;
  if (!row.actions.empty()) out["a"] = Json::array();
  for (const findings::Action& action : row.actions) {
    const auto text = [](const std::optional<findings::Value>& value) {
      return value ? Json(visible(value->text)) : Json();
    };
    out["a"].push_back(Json::array({index.of(action.object), findings::name_of(action.verb),
                                    text(action.before), text(action.after)}));
  }
  Json links = Json::array();
  for (const Link& link : links_[k])
    if (is_wanted(link.row)) links.push_back(Json::array({name_of(link.kind), link.row - first_}));
  if (!links.empty()) out["x"] = std::move(links);
  return out;
}

Json PageRun::data() const {
  Index index;
  Json rows = Json::array();
  for (std::size_t k = first_; k < trace_.rows.size(); ++k) rows.push_back(row_data(k, index));
  Json stacks = Json::array();
  for (const auto* stack : stacks_) stacks.push_back(stack_data(*stack));
  Json threads = Json::array();
  for (const unsigned thread : threads_)
    threads.push_back(Json::array({thread, visible(thread_name(thread))}));
  const std::size_t shown = trace_.rows.size() - first_;
  const std::size_t end = trace_.end > first_ ? trace_.end - first_ : shown;
  return {{"id", id_},
          {"first", first_},
          {"end", end},
          {"threads", std::move(threads)},
          {"objects", std::move(index.objects)},
          {"stacks", std::move(stacks)},
          {"rows", std::move(rows)}};
}

}  // namespace heddle::report
