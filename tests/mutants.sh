#!/usr/bin/env bash
# Shows that the fuzzers notice broken rules: each rule below is broken in a copy of the sources,
# and `heddle fuzz` has to fail within SECONDS (default 60). First the entries of the dependence
# table, one by one (mutants.cpp), then rules that are code, and then rules of how compiled programs
# are explored, which `heddle fuzz --native` has to notice, or else the expected numbers of runs.
#
#   tests/mutants.sh [--native] [SECONDS]    with --native, only the latter
#   tests/mutants.sh --check     only looks whether the rules are where they are said to be
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
only=all
[[ ${1:-} == --native ]] && { only=native; shift; }
seconds=${1:-60}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T -) |
  tar -x -C "$copy"
cp -r "$copy/src" "$copy/right"

build() {
  ninja -C "$copy/build" "$1" >"$copy/log" 2>&1 || { tail -20 "$copy/log"; exit 70; }
}
survivors=0
if [[ $seconds != --check ]]; then
  cmake -S "$copy" -B "$copy/build" -G Ninja -DHEDDLE_BENCH=OFF >"$copy/log"
  if [[ $only == all ]]; then
    build mutants
    "$copy/build/tests/mutants" "$seconds" || survivors=1
  fi
fi

# name | file | what the rule says | what it is made to say
rules=(
  "threads that wait at the end take part in races|core/execution.cpp|for (const Pending& p : pending) {|for (const Pending\& p : pending.first(0)) {"
  "an insertion stops at an inserted leaf|core/explorer.hpp|if (node->leaf() \|\| v_.empty()) return true;|if (v_.empty()) return true;"
  "branches left of the path cover a reversal|core/explorer.hpp|const Answer covered = is_covered(at);|const Answer covered = Answer::no;"
  "a reversal put aside is inserted where its path leads|core/explorer.hpp|put_to_sleep(path_.lead_to(node));|path_.lead_to(node);"
  "what a reversal put aside does is taken from its run|core/explorer.hpp|v_.assign(log.events.end() - std::ssize(v), log.events.end());|v_ = v;"
  "a reversal is put aside as a whole|core/explorer.hpp|make_reversal(race, v_);  // v may have become shorter|"
  "nothing is given back right of what is under way|core/tree.cpp|all_left_finished = all_left_finished \&\& child == node->first_open;|"
  "only races of what is new are skipped|core/explorer.hpp|execution_.before_all_from(race.first, leaf->attached_at);|true;"
  "with observers, what is new in a reversal counts|core/execution.hpp|return race.repeated \&\& before_all_from(race.first, shared_);|return race.repeated;"
  "what a step does in another order is looked up|core/explorer.hpp|return footprints_.varies(last.footprint) >= Varies::anything \|\||return false \&\&"
  "a compare-and-swap finds what the first of the race found|core/in_place.cpp|return before.value == own.value ? update : read;|return before.value != own.value ? update : read;"
  "who unlocks a mutex held it|core/in_place.cpp|std::optional(try_lock_fail)|std::optional(try_lock)"
  "all alternatives of a choice are planned|core/explorer.hpp|if (other == event.move.alternative) continue;|continue;"
  "an observed reversal runs up to its observer|core/reduction/observers.cpp|if (seen_by_.empty()) return;|return;"
  "a read wakes a write that was overwritten|core/reduction/observers.cpp|observes_memory(a.mode) ? State::awake : State::covered|State::covered"
  "a receive wakes a send that came late|core/reduction/observers.cpp|sent\\[0\\].a == a.a)|false)"
  "a writer goes before all readers at once|core/execution.cpp|while (add_readers_in_the_way(race));|while (false);"
  "the first step of a thread comes after what created it|core/execution.cpp|previous_[j] != 0 ? previous_[j] : created_[event(j).move.thread];|previous_[j];"
  "a step comes after those of threads that were joined|core/execution.cpp|last != 0) visit(last - 1);|last != 0) {}"
  "what a thread has joined counts for who joins it|interp/machine.cpp|joined.insert(joined.end(), state_.joined[other].begin(), state_.joined[other].end());|"
  "a time-out comes before all that follows|core/execution.cpp|if (fence_ > last) join(own, clock(fence_ - 1));|"
  "a time-out comes after all that was|core/execution.cpp|if (last != 0) join(clock(j), clock(last - 1));|if (false) join(clock(j), clock(last - 1));"
  "who waits at a time-out takes part in races|core/execution.cpp|pending_at_.push_back(p.at);|pending_at_.push_back(size());"
  "who waits at a time-out counts for source sets|core/reduction/source.cpp|if (machine_.stuck()) reverse_races|if (enabled.empty()) reverse_races"
  "who waits at a time-out counts for a merge|core/reduction/merging.cpp|machine_.stuck() ? waiting() : Known();|Known();"
  "a complete barrier shuts out sleepers|core/sleeper.hpp|shuts_out(footprints, sleeper, event_at, at));|false);"
  "source sets use the union of accesses|core/reduction/source.cpp|return from_.varies(id) >= Varies::anything;|return false;"
  "a merge replays the races of what follows|core/reduction/merging.cpp|for (const Configuration& c : known->summary) replay(c);|"
  "of those that wake others, what leaves nothing comes after what does|model/dependence.cpp|return (first.a \| second.a) != 0;|return first.a != 0 \&\& second.a != 0;"
  "a wake comes after what left its token, and not after others|model/dependence.cpp|if (wakes) return first.a == second.a;|if (wakes) return true;"
  "a token that was taken could have been taken by others|model/dependence.cpp|(first.a < second.a \&\& second.b < first.a)|false"
  "who came after a signal could not have taken its token|model/dependence.cpp|(first.a < second.a \&\& second.b < first.a)|first.a < second.a"
  "what a signal does in another place follows from all before it|core/in_place.cpp|for (std::size_t k = 0; k < length; ++k) apply|for (std::size_t k = 0; k < trail.path.size(); ++k) apply"
  "an unlock does not hide a lock|model/dependence.cpp|now == excludes \&\& takes_all(static_cast<Mode>(later))|true"
)
# Of compiled programs. A line ends at "¶".
native_rules=(
  "a plain read sees in which order others wrote|native/runner.cpp|if (!explores && race.sort == abi::RaceSort::finding) continue;|if (!explores) continue;"
  "a failed attempt has seen that the lock is taken|runtime/effects.hpp|if (before != nullptr && before->others.failures != others.failures) ++seen_;|"
  "each round that was seen goes round again|runtime/idle.cpp|return seen;|return seen && idle.rounds == 1;"
  "an update is judged before others go on|runtime/scheduler.cpp|const Op& op = self.pending;¶  settle(self);|const Op& op = self.pending;"
  "all bytes of an update are compared|runtime/updates.cpp|return {{value_at(from, 8), value_at(from + 8, size - 8)}};|return {{value_at(from, 8), 0}};"
  "a lock that others took is not lent|runtime/effects.hpp|before->others.takings == others.takings|true"
  "parts of memory that overlap are one location|native/locations.cpp|if ((part & mask) != 0) {|if (false) {"
  "writes of parts are always ordered|native/locations.cpp|mode == Mode::write ? Mode::write_in_block : mode|mode"
  "a step that writes tells what it finds|runtime/op.cpp|set_value(value_at(op.object, op.size));|set_value(value_at(op.object, op.size) + 1);"
  "of memory written in parts no value is told|native/runner.cpp| \|\| !locations_.is_whole(step.accesses[0])||"
  "a write that changes memory is an effect|runtime/updates.cpp|if (std::memcmp(now.words, self.updated_from, sizeof now.words) != 0) count_effect(self);|"
  "a store in a loop is ordered with other stores|runtime/op.cpp|op.ordered ? Mode::write_in_block : Mode::write|Mode::write"
  "rounds follow at once only if what was read is still there|runtime/gluing.cpp|return same;|return true;"
  "a counter that lives on is compared|pass/free_values.cpp|if (!isa<PHINode>(user) \&\& !is_pure(*user)) return false;|"
  "a loop that is left by counting is left by nothing else there|pass/free_values.cpp|return leaves_by_count(block);|return true;"
  "counters are asked in each round|pass/free_values.cpp|!is_in_each_round(*exit) \|\| |"
  "rounds that come back only read|pass/free_values.cpp|if (can_come_back(i)) return false;|"
  "what is used behind a loop is what its last round has read|pass/free_values.cpp|!takes_along(exits)|true"
  "savepoints keep how often locks were taken|runtime/state.cpp|save_takings(into);|"
)
# Those that only save runs: programs of tests/programs have more of them than is expected.
counted_rules=(
  "who is woken by a broadcast competes with nobody|runtime/op.cpp|wake.for_all ? Mode::wake_all : Mode::wake|Mode::wake"
  "what functions left that have returned is no effect|runtime/effects.hpp|if (changed_[k].begin < static_cast<const char*>(frame)) {|if (false) {"
  "what variables hold that end with a round is no effect|pass/loops.cpp|l.forgotten.push_back(variable);|(void)l;"
  "rounds may have loops that are not left by counting|pass/free_values.cpp|told += 2;  // once|return false;  // once"
  "a call that wakes nobody is ordered with no wake|runtime/condition.hpp|return is_awaited() ? numbered_ + 1 : 0;|return numbered_ + 1;"
)

# Breaks the rule, and builds; then `notices` says whether that is noticed. Fails if it is not.
try_rule() {
  local name file from to status=0
  IFS='|' read -r name file from to <<<"$(sed 's/\\|/\x01/g' <<<"$2")"
  from=${from//$'\x01'/|} to=${to//$'\x01'/|}
  python3 - "$copy/src/$file" "${from//\\/}" "${to//\\/}" <<'PY'
import sys
path, old, new = sys.argv[1:]
old, new = old.replace("¶", "\n"), new.replace("¶", "\n")
text = open(path).read()
assert text.count(old) == 1, f"{path}: {text.count(old)} times: {old}"
open(path, "w").write(text.replace(old, new))
PY
  if [[ $seconds != --check ]]; then
    build heddle
    "$1" "$name" >"$copy/out" || status=$?
    case $status in
      0) echo "SURVIVED: $name"; survivors=1 ;;
      1 | 70) echo "caught: $name ($(sed -n 's/^\([0-9]* programs\).*/after \1/p' "$copy/out"))" ;;
      *) exit 70 ;;
    esac
  fi
  cp "$copy/right/$file" "$copy/src/$file"
}

on_models() {
  local shape=()
  [[ $1 == source* ]] && shape=(--shape "data-dependent accesses")
  "$copy/build/heddle" fuzz --seconds "$seconds" --algorithm optimal,observers,source,merging \
    "${shape[@]}"
}
on_compiled_programs() {
  (cd "$copy" && build/heddle fuzz --native --seconds "$seconds")
}
by_counting() {
  (cd "$copy" && python3 tests/native_test.py build/heddle tests/programs/cond_*.c \
    tests/programs/spin_{round_variables,calls_loop}.cpp)
}

if [[ $only == all ]]; then
  for rule in "${rules[@]}"; do try_rule on_models "$rule"; done
fi
for rule in "${native_rules[@]}"; do try_rule on_compiled_programs "$rule"; done
for rule in "${counted_rules[@]}"; do try_rule by_counting "$rule"; done
exit $survivors
