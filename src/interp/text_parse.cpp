#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "interp/text.hpp"
#include "interp/text_lex.hpp"
#include "interp/text_words.hpp"

namespace heddle::interp {
namespace {

constexpr std::size_t object_limit = 100'000;  // `array a 4000000000` is a mistake
constexpr std::int64_t tag_limit = 64;
constexpr std::int64_t alternatives_limit = 1000;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string noun(ObjectClass kind) {
  switch (kind) {
    case ObjectClass::memory:
      return "a variable";
    case ObjectClass::mutex:
      return "a mutex";
    case ObjectClass::rwlock:
      return "an rwlock";
    case ObjectClass::condition:
      return "a condition";
    case ObjectClass::semaphore:
      return "a semaphore";
    case ObjectClass::barrier:
      return "a barrier";
    default:
      return "a thread";
  }
}

// The objects and threads by their names.
class Names {
 public:
  Names(Program& program, Tokens& in) : program_(program), in_(in) {}

  std::string new_name(const std::string& expected) {
    if (in_.peek().kind != Token::Kind::word) in_.unexpected(expected);
    const Token& t = in_.next();
    if (reserved(t.text))
      fail_line(t.line, quoted(t.text) + " is a word of the language", expected);
    return std::string(t.text);
  }

  void declare() {
    const int line = in_.peek().line;
    const Declaration* d = named(declarations, in_.peek().text);
    if (d == nullptr) in_.unexpected("a declaration (var, heap, array, mutex ...) or a thread");
    in_.next();
    Object o{.name = new_name("a name"), .kind = d->kind, .on_heap = d->on_heap};
    if (objects_.contains(o.name))
      fail_line(line, quoted(o.name) + " is declared twice", "another name");
    const auto room = static_cast<std::int64_t>(object_limit - program_.objects.size());
    if (room == 0) fail_line(line, "too many objects", std::to_string(object_limit) + " at most");
    if (d->array)
      o.length = static_cast<std::uint32_t>(in_.integer(1, room, "the size of the array"));
    if (d->initial != Initial::none && in_.accept("="))
      o.initial = in_.integer("an integer");
    else if (d->initial == Initial::required)
      in_.unexpected("'=' and a number");
    if (in_.peek().kind < Token::Kind::newline) in_.unexpected("the end of the line");
    objects_[o.name] = static_cast<Location>(program_.objects.size());
    for (; o.index < o.length; ++o.index) program_.objects.push_back(o);
  }

  void declare_thread() {
    const bool created = in_.next().text == "created";
    const int line = in_.peek().line;
    Thread t{.name = new_name("the name of a thread"), .code = {}, .created = created};
    in_.expect(":", "':'");
    if (!threads_.emplace(t.name, program_.threads.size()).second)
      fail_line(line, "duplicate thread " + quoted(t.name), "another name");
    program_.threads.push_back(std::move(t));
  }

  // `index` is set to the register that selects the element, if one does.
  Location object(ObjectClass kind, std::int8_t* index) {
    if (in_.peek().kind != Token::Kind::word) in_.unexpected("the name of " + noun(kind));
    const Token& name = in_.next();
    const auto found = objects_.find(name.text);
    if (found == objects_.end()) unknown(name, kind);
    const Object& first = program_.objects[found->second];
    if (first.kind != kind)
      fail_line(name.line, quoted(name.text) + " is " + noun(first.kind), noun(kind));
    std::int64_t offset = 0;
    if (in_.accept("[")) {
      if (index != nullptr && in_.peek().is_register())
        *index = in_.reg();
      else
        offset = in_.integer(0, first.length - 1, "an index of " + quoted(name.text));
      in_.expect("]", "']'");
    } else if (first.length > 1) {
      in_.unexpected("'[' and an index, as " + quoted(name.text) + " is an array");
    }
    return found->second + static_cast<Location>(offset);
  }

  std::size_t thread() {
    const Token& name = in_.peek();
    if (name.kind != Token::Kind::word) in_.unexpected("the name of a thread");
    const auto found = threads_.find(name.text);
    if (found == threads_.end())
      fail_line(name.line, "unknown thread " + quoted(name.text), "the name of a thread");
    in_.next();
    return found->second;
  }

 private:
  [[noreturn]] static void unknown(const Token& name, ObjectClass kind) {
    if (name.text == "thread" || name.text == "created")
      fail_line(name.line, "unexpected " + quoted(name.text) + " within a line",
                "it at the beginning of one");
    if (named(declarations, name.text) != nullptr)
      fail_line(name.line, "declaration in a thread", "it before the first thread");
    if (kind == ObjectClass::memory)
      fail_line(name.line, quoted(name.text) + " is neither an instruction nor a variable",
                "one of them");
    fail_line(name.line, quoted(name.text) + " is not declared", "the name of " + noun(kind));
  }

  Program& program_;
  Tokens& in_;
  std::map<std::string, Location, std::less<>> objects_;  // an array's first
  std::map<std::string, std::size_t, std::less<>> threads_;
};

// The code of one thread.
class Body {
 public:
  Body(const Program& program, std::size_t self, Tokens& in, Names& names)
      : program_(program), self_(self), in_(in), names_(names) {}

  std::vector<Instruction> run() {
    while (!in_.at_end() && !in_.at_header()) {
      if (in_.at(";") || in_.peek().kind == Token::Kind::newline)
        in_.next();
      else if (in_.at_label())
        label();
      else if (in_.at("atomic"))
        open();
      else
        statement();
    }
    if (block_ != 0) fail_line(block_line_, "unterminated atomic block", "'}'");
    link();
    return std::move(code_);
  }

 private:
  struct Label {
    std::size_t position;
    int block;
  };
  struct Jump {
    std::size_t position;
    int block;
    const Token* label;
  };

  void label() {
    const int line = in_.peek().line;
    const std::string name = names_.new_name("a label");
    in_.next();  // the colon
    if (!labels_.emplace(name, Label{code_.size(), block_}).second)
      fail_line(line, "duplicate label " + quoted(name) + " in this thread", "another name");
  }

  void open() {
    block_line_ = in_.next().line;
    if (block_ != 0) fail_line(block_line_, "nested atomic block", "'}' first");
    in_.expect("{", "'{'");
    block_ = ++blocks_;
    append(Op::atomic_begin);
  }

  void append(Op op) {
    Instruction i;
    i.op = op;
    code_.push_back(i);
  }

  void statement() {
    const int line = in_.peek().line;
    if (in_.accept("}")) {
      if (block_ == 0) fail_line(line, "unexpected '}' outside a block", "'atomic {' before it");
      block_ = 0;
      append(Op::atomic_end);
    } else {
      Instruction i = in_.at("if") || in_.at("goto") ? jump() : instruction();
      if (i.op < Op::alloc || i.op == Op::fence) i.order = order();
      if (block_ != 0 && i.op >= Op::alloc && i.op < Op::set)
        fail_line(line, "step in an atomic block that is not an access",
                  "reads, writes and what is not a step");
      code_.push_back(i);
    }
    if (!in_.at_instruction_end()) in_.unexpected("';' or the end of the line");
  }

  Instruction jump() {
    Instruction i = always;
    if (in_.accept("if")) {
      i.dst = in_.reg();
      i.cmp = in_.compare();
      i.value = in_.value();
    }
    in_.expect("goto", "'goto'");
    if (in_.peek().kind != Token::Kind::word) in_.unexpected("a label");
    jumps_.push_back({code_.size(), block_, &in_.next()});
    return i;
  }

  Instruction instruction() {
    Instruction i;
    if (in_.peek().is_register()) {
      i.dst = in_.reg();
      if (const Assignment* a = named(assignments, in_.peek().text)) {
        in_.next();
        i.op = a->op;
        i.value = in_.value();
        return i;
      }
      in_.expect("=", "'=', ':=', '+=', '*=' or '%='");
    }
    if (in_.accept("(")) return check(i);
    if (in_.accept("plain")) return plain(i);
    if (in_.peek().kind != Token::Kind::word)
      in_.unexpected(i.dst < 0 ? "an instruction" : "what has a result (for a value, it is ':=')");
    if (const Word* w = named(words, in_.peek().text)) return operation(*w, i);
    return access(i);
  }

  Instruction check(Instruction i) {
    i.op = Op::check;
    i.object = names_.object(ObjectClass::memory, &i.index);
    i.cmp = in_.compare();
    i.value = in_.value();
    in_.expect(")", "')'");
    return i;
  }

  Instruction plain(Instruction i) {
    i.object = names_.object(ObjectClass::memory, &i.index);
    i.op = i.dst < 0 && in_.accept("=") ? Op::plain_write : Op::plain_read;
    if (i.op == Op::plain_write) i.value = in_.value();
    return i;
  }

  MemoryOrder order() {
    const auto found = std::ranges::find(memory_orders, in_.peek().text);
    if (found == memory_orders.end()) return MemoryOrder::sequential;
    in_.next();
    return static_cast<MemoryOrder>(found - memory_orders.begin());
  }

  Instruction access(Instruction i) {
    i.object = names_.object(ObjectClass::memory, &i.index);
    i.op = Op::read;
    if (i.dst >= 0 || !(in_.at("=") || in_.at("+="))) return i;
    i.op = in_.next().text == "=" ? Op::write : Op::add;
    i.value = in_.value();
    return i;
  }

  Instruction operation(const Word& word, Instruction i) {
    const int line = in_.next().line;
    if (i.dst >= 0 && !word.result)
      fail_line(line, quoted(word.name) + " has no result", "it without '='");
    if (i.dst < 0 && word.op == Op::choose)
      fail_line(line, "'choose' has no register for its result", "'$0 = choose'");
    i.op = word.op;
    i.timed = word.timed;
    for (Operand operand : word.operands) read_operand(operand, word, i);
    return i;
  }

  void read_operand(Operand operand, const Word& word, Instruction& i) {
    switch (operand) {
      case Operand::none:
        return;
      case Operand::object:
        i.object = names_.object(word.kind, &i.index);
        return;
      case Operand::mutex:
        i.second = names_.object(ObjectClass::mutex, nullptr);
        return;
      case Operand::compare:
        i.cmp = in_.compare();
        return;
      case Operand::value:
        i.value = in_.value();
        return;
      case Operand::value2:
        i.value2 = in_.value();
        return;
      case Operand::reg:
        i.dst = in_.reg();
        return;
      case Operand::alternatives:
        i.value.constant = in_.integer(1, alternatives_limit, "a number of alternatives");
        return;
      case Operand::thread:
        i.object = program_.thread_object(names_.thread());
        return;
      default:
        read_message(operand, i);
    }
  }

  void read_message(Operand operand, Instruction& i) {
    if (operand == Operand::mailbox) {
      if (in_.peek().is_register()) i.index = in_.reg();
      i.object = program_.mailbox(i.index >= 0 ? 0 : names_.thread());
      return;
    }
    if (operand == Operand::tags) i.object = program_.mailbox(self_);
    if (in_.peek().is_register())
      i.value = in_.value();
    else if (operand == Operand::tag)
      i.value.constant = in_.integer(0, tag_limit - 1, "a tag");
    else
      i.value.constant = tags();
  }

  std::int64_t tags() {
    if (in_.accept("*")) return -1;
    if (in_.accept("none")) return 0;
    std::uint64_t set = 0;
    do {
      set |= std::uint64_t{1} << in_.integer(0, tag_limit - 1, "'*', 'none' or a tag");
    } while (in_.accept(","));
    return static_cast<std::int64_t>(set);
  }

  // Blocks are one step: there is no way into the middle of one, and none out of it.
  void link() {
    for (const Jump& j : jumps_) {
      const auto found = labels_.find(j.label->text);
      if (found == labels_.end())
        fail_line(j.label->line, "unknown label " + quoted(j.label->text),
                  "one of the same thread");
      if (found->second.block != j.block)
        fail_line(j.label->line, "this jump enters or leaves an atomic block",
                  "a label on the same side");
      code_[j.position].target = static_cast<std::int32_t>(found->second.position);
    }
  }

  const Program& program_;
  std::size_t self_;
  Tokens& in_;
  Names& names_;
  std::vector<Instruction> code_;
  std::map<std::string, Label, std::less<>> labels_;
  std::vector<Jump> jumps_;
  int block_ = 0;  // 0: outside
  int blocks_ = 0;
  int block_line_ = 0;
};

}  // namespace

Program parse_program(std::string_view text) {
  Program program;
  Tokens in(text);
  Names names(program, in);
  while (!in.at_header()) {
    if (in.peek().kind == Token::Kind::newline)
      in.next();
    else
      names.declare();
  }
  // All threads first: instructions name later ones, and mailboxes are numbered after all of them.
  std::vector<std::size_t> bodies;
  while (!in.at_end()) {
    if (!in.at_header()) {
      in.next();
      continue;
    }
    names.declare_thread();
    bodies.push_back(in.position());
  }
  for (std::size_t t = 0; t < bodies.size(); ++t) {
    in.go_to(bodies[t]);
    program.threads[t].code = Body(program, t, in, names).run();
  }
  validate(program);
  return program;
}

}  // namespace heddle::interp
