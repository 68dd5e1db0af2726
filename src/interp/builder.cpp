#include "interp/builder.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::interp {

Place Builder::declare(std::string name, ObjectClass kind, std::int64_t initial) {
  const auto number = static_cast<Location>(program_.objects.size());
  program_.objects.push_back({.name = std::move(name), .kind = kind, .initial = initial});
  return {number, no_register};
}

Array Builder::declare_array(const std::string& name, ObjectClass kind, int length,
                             std::int64_t initial) {
  HEDDLE_CHECK(length > 0);
  const Array array{static_cast<Location>(program_.objects.size())};
  for (int i = 0; i < length; ++i) {
    Object& element = program_.objects[declare(name, kind, initial).object];
    element.index = static_cast<std::uint32_t>(i);
    element.length = static_cast<std::uint32_t>(length);
  }
  return array;
}

Place Builder::memory(std::string name, std::int64_t initial) {
  return declare(std::move(name), ObjectClass::memory, initial);
}

Place Builder::on_heap(std::string name) {
  const Place place = declare(std::move(name), ObjectClass::memory);
  program_.objects[place.object].on_heap = true;
  return place;
}

ThreadBuilder Builder::thread(std::string name) {
  program_.threads.push_back({.name = std::move(name), .code = {}});
  names_.emplace_back();
  return {*this, program_.threads.size() - 1};
}

ThreadBuilder Builder::to_create(std::string name) {
  ThreadBuilder t = thread(std::move(name));
  program_.threads.back().created = true;
  return t;
}

std::size_t Builder::label(std::size_t thread, std::string_view name) {
  auto& labels = names_[thread].labels;
  const auto found = std::ranges::find(labels, name, &Label::name);
  const auto index = static_cast<std::size_t>(found - labels.begin());
  if (found == labels.end()) labels.push_back({.name = std::string(name)});
  return index;
}

void Builder::refer(std::size_t thread, Refers refers, std::size_t target) {
  references_.push_back({thread, program_.threads[thread].code.size(), refers, target});
}

void Builder::resolve(const Reference& r) {
  Instruction& i = program_.threads[r.thread].code[r.instruction];
  switch (r.refers) {
    case Refers::thread:
      i.object = program_.thread_object(r.target);
      break;
    case Refers::mailbox:
      i.object = program_.mailbox(r.target);
      break;
    case Refers::label:
      i.target = names_[r.thread].labels[r.target].at;
      HEDDLE_CHECK(i.target != unbound);
      break;
  }
}

Program Builder::build() {
  for (const Reference& r : references_) resolve(r);
  validate(program_);
  return std::move(program_);
}

Reg ThreadBuilder::reg() {
  int& used = owner_->names_[thread_].registers;
  HEDDLE_CHECK(used < static_cast<int>(register_count));
  return {static_cast<std::int8_t>(used++)};
}

ThreadBuilder& ThreadBuilder::emit(Op op, Place x, Reg dst, Term v, Compare cmp) {
  Instruction i;
  i.op = op;
  i.object = x.object;
  i.index = x.index;
  i.dst = dst.number;
  i.cmp = cmp;
  i.value = v.value;
  owner_->program_.threads[thread_].code.push_back(i);
  return *this;
}

Instruction& ThreadBuilder::last() { return owner_->program_.threads[thread_].code.back(); }

ThreadBuilder& ThreadBuilder::cas(Reg dst, Place x, Term from, Term to) {
  emit(Op::cas, x, dst, from).last().value2 = to.value;
  return *this;
}

ThreadBuilder& ThreadBuilder::wait(Place condition, Place mutex) {
  emit(Op::wait, condition).last().second = mutex.object;
  return *this;
}

ThreadBuilder& ThreadBuilder::create(const ThreadBuilder& other) {
  owner_->refer(thread_, Builder::Refers::thread, other.thread_);
  return emit(Op::create);
}

ThreadBuilder& ThreadBuilder::join(const ThreadBuilder& other) {
  owner_->refer(thread_, Builder::Refers::thread, other.thread_);
  return emit(Op::join);
}

ThreadBuilder& ThreadBuilder::send(const ThreadBuilder& to, Term tag) {
  owner_->refer(thread_, Builder::Refers::mailbox, to.thread_);
  return emit(Op::send, {}, {}, tag);
}

ThreadBuilder& ThreadBuilder::send(Reg to, Term tag) {
  owner_->refer(thread_, Builder::Refers::mailbox, 0);
  return emit(Op::send, {0, to.number}, {}, tag);
}

ThreadBuilder& ThreadBuilder::receive(Reg dst, Term tags) {
  owner_->refer(thread_, Builder::Refers::mailbox, thread_);
  return emit(Op::receive, {}, dst, tags);
}

ThreadBuilder& ThreadBuilder::try_receive(Reg dst, Term tags) {
  owner_->refer(thread_, Builder::Refers::mailbox, thread_);
  return emit(Op::try_receive, {}, dst, tags);
}

ThreadBuilder& ThreadBuilder::label(std::string_view name) {
  const std::size_t index = owner_->label(thread_, name);
  Builder::Label& label = owner_->names_[thread_].labels[index];
  HEDDLE_CHECK(label.at == Builder::unbound);
  label.at = static_cast<std::int32_t>(owner_->program_.threads[thread_].code.size());
  return *this;
}

ThreadBuilder& ThreadBuilder::jump_if(Reg left, Compare cmp, Term right, std::string_view to) {
  owner_->refer(thread_, Builder::Refers::label, owner_->label(thread_, to));
  return emit(Op::jump, {}, left, right, cmp);
}

ThreadBuilder& ThreadBuilder::jump(std::string_view to) {
  const Reg any{0};  // compared with itself; text.hpp has `goto` for exactly this
  return jump_if(any, Compare::ge, any, to);
}

}  // namespace heddle::interp
