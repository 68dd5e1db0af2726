"""Commands of gdb for programs built with heddle. `heddle replay --gdb` loads them.

All threads of the program are fibers in one thread of the system, so that gdb sees a single one.
These commands know the others: where they are, and how to look at their frames.
"""

import functools
import json
import os
import re
import struct

import gdb

RUNTIME = "libheddle_rt.so"
LAYOUT_VERSION = 2
LAYOUT_FIELDS = [
    "version", "threads", "fibers", "current_fiber", "op_words", "status_names", "fiber_size",
    "stack_pointer", "fs_base", "status", "op_kind", "op_object", "op_value", "site", "site_line",
    "site_function"]
LIVE, START = 1, "start"

# What heddle_switch leaves on a stack, from its top; then comes the place to continue at.
SAVED = ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
REGISTERS = SAVED + ["rsp", "fs_base"]
RESUMING = ["continue", "step", "next", "stepi", "nexti", "finish", "until", "advance", "jump",
            "call", "run", "start"]


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return struct.unpack("<Q", read(address, 8))[0]


def text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def address_of(symbol):
    return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))



def register(name):
    return int(gdb.selected_frame().read_register(name)) & (1 << 64) - 1


class Layout:
    """Where the runtime has its threads."""

    def __init__(self):
        words = struct.unpack(f"<{len(LAYOUT_FIELDS)}Q",
                              read(address_of("__heddle_layout"), 8 * len(LAYOUT_FIELDS)))
        for name, value in zip(LAYOUT_FIELDS, words):
            setattr(self, name, value)
        if self.version != LAYOUT_VERSION:
            raise gdb.GdbError("the program was built for another version of heddle: build it again")

    def fiber(self, number):
        return Fiber(self, number)

    def current(self):
        """The number of the thread that is running, or None."""
        number = (word(self.current_fiber) - self.fibers) // self.fiber_size
        return number if 0 <= number < self.threads else None


class Fiber:
    def __init__(self, layout, number):
        self.number = number
        at = layout.fibers + number * layout.fiber_size
        self.stack_pointer = word(at + layout.stack_pointer)
        self.fs_base = word(at + layout.fs_base)
        status = read(at + layout.status, 1)[0]
        self.exists = status != 0
        self.is_live = status == LIVE
        self.status = text(word(layout.status_names + 8 * status))
        self.op = text(word(layout.op_words + 8 * read(at + layout.op_kind, 1)[0]))
        self.object = word(at + layout.op_object)
        self.value = word(at + layout.op_value)
        site = word(at + layout.site)
        self.place = ""
        if site != 0:
            line = struct.unpack("<I", read(site + layout.site_line, 4))[0]
            self.place = f"{text(word(site))}:{line}, in {text(word(site + layout.site_function))}"

    def step(self):
        """What it is about to do: as the run has it or, if that is not known, as the runtime."""
        for event in events()["events"]:
            if event["thread"] == self.number and event["number"] > State.event:
                return event["what"]
        return self.op.replace("{}", object_name(self.object) if self.object else str(self.value))


def object_name(address):
    found = gdb.execute(f"info symbol {address:#x}", to_string=True)
    if found.startswith("No symbol"):
        return f"{address:#x}"
    return found.split(" in section ")[0]


@functools.cache
def events():
    """What heddle replay has seen of the run."""
    path = os.environ.get("HEDDLE_EVENTS")
    if path is None:
        raise gdb.GdbError("this is for 'heddle replay --gdb'")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def described(event):
    """A row of the run."""
    what = event["what"] + (f", {event['with']}" if event["with"] else "")
    return f"thread {event['thread']}: {what}" + (f"  ({event['place']})" if event["place"] else "")


class State:
    """Of this session."""

    target = None  # the number of the event to stop at
    event = 0  # the latest that was stopped at
    saved = None  # registers of the thread that is running, while another is looked at
    looking = None  # at which
    stops = []  # our breakpoints


class EventStop(gdb.Breakpoint):
    def __init__(self):
        super().__init__("__heddle_event", internal=True)
        self.silent = True

    def stop(self):
        State.event = int(gdb.parse_and_eval("$rdi"))
        return State.target is not None and State.event >= State.target


class FindingStop(gdb.Breakpoint):
    def __init__(self):
        super().__init__("__heddle_finding", internal=True)
        self.silent = True

    def stop(self):
        return True


def is_users(frame):
    """Whether a frame is neither the runtime's nor that of a library."""
    library = gdb.solib_name(frame.pc()) or ""
    if os.path.basename(library) == RUNTIME or library.startswith(("/lib/", "/usr/lib/")):
        return False
    source = frame.find_sal().symtab
    return source is not None and not os.path.normpath(source.fullname()).startswith("/usr/")


def show_users_frame():
    """Selects the innermost frame of the user's own code and shows it, if there is one."""
    frame = gdb.newest_frame()
    while frame is not None and not is_users(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def on_stop(stop):
    if not isinstance(stop, gdb.BreakpointEvent):
        return
    if any(isinstance(b, FindingStop) for b in stop.breakpoints):
        kind, what = text(register("rdi")), text(register("rsi"))
        known = events()["finding"]  # with names in place of addresses
        print(f"heddle: {known}" if known.endswith(f"[{kind}]") else f"heddle: {what} [{kind}]")
    elif any(isinstance(b, EventStop) for b in stop.breakpoints):
        State.target = None
        for event in events()["events"]:
            if event["number"] == State.event:
                print(f"heddle: event {State.event}, {described(event)}")
    else:
        return
    show_users_frame()


def on_load(load):
    """The runtime is there: now there is something to stop in."""
    if os.path.basename(load.new_objfile.filename or "") == RUNTIME and State.target is not None:
        State.stops = [EventStop(), FindingStop()]


def go_back():
    """The thread that is running is looked at again."""
    if State.saved is None:
        return
    gdb.newest_frame().select()
    for name, value in State.saved.items():
        gdb.execute(f"set ${name} = {value:#x}", to_string=True)
    State.saved = State.looking = None


def look_at(fiber):
    """Shows another thread's frames, as if it were running."""
    go_back()
    gdb.newest_frame().select()
    State.saved = {name: register(name) for name in REGISTERS}
    State.looking = fiber.number
    words = struct.unpack(f"<{len(SAVED)}Q", read(fiber.stack_pointer, 8 * len(SAVED)))
    values = dict(zip(SAVED, words))
    values["rsp"] = fiber.stack_pointer + 8 * len(SAVED)
    values["fs_base"] = fiber.fs_base
    for name, value in values.items():
        gdb.execute(f"set ${name} = {value:#x}", to_string=True)


def layout():
    if gdb.selected_inferior().pid == 0:
        raise gdb.GdbError("the program is not running: 'heddle start' runs it")
    return Layout()


def number_in(argument):
    try:
        return int(argument)
    except ValueError as error:
        raise gdb.GdbError(f"'{argument}' is not a number") from error


class ThreadLocal(gdb.Function):
    """$tls("NAME"): a thread-local variable of the program, of the thread that is looked at.

    gdb itself takes all threads for one, and would not notice that another is running."""

    def __init__(self):
        super().__init__("tls")

    def invoke(self, name):
        symbol = gdb.lookup_symbol(name.string())[0] or gdb.lookup_static_symbol(name.string())
        where = gdb.execute(f"info address {name.string()}", to_string=True) if symbol else ""
        offset = re.search(r"thread-local variable at offset (0x[0-9a-f]+) in .*`(.*)'", where)
        if offset is None or offset[2] != gdb.current_progspace().filename:
            raise gdb.GdbError(f"'{name.string()}' is no thread-local variable of the program")
        blocks = word(register("fs_base") + 8)  # by module, of which the program is the first
        at = word(blocks + 16) + int(offset[1], 16)
        return gdb.Value(at).cast(symbol.type.pointer()).dereference()


class Heddle(gdb.Command):
    """Looking at a run of a program built with heddle."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_USER, prefix=True)


class Start(gdb.Command):
    """Run to the first event of the stretch that leads to the finding."""

    def __init__(self):
        super().__init__("heddle start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        known = events()
        for stop in State.stops:
            stop.delete()
        State.saved = State.looking = None
        State.target, State.event, State.stops = None, 0, []
        for setting in ("confirm off", "startup-with-shell on", "disable-randomization on",
                        "environment LD_BIND_NOW 1", "libthread-db-search-path /nonexistent"):
            gdb.execute(f"set {setting}", to_string=True)
        State.target = max(known["first"], 1)
        gdb.execute("run < /dev/null")


class Next(gdb.Command):
    """Run to the next visible event, of whichever thread, or to the Nth of them."""

    def __init__(self):
        super().__init__("heddle next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        layout()
        go_back()
        State.target = State.event + (number_in(argument) if argument else 1)
        gdb.execute("continue")


class Threads(gdb.Command):
    """List the threads: what each is about to do, and where."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        where = layout()
        current = where.current()
        for number in range(where.threads):
            fiber = where.fiber(number)
            if not fiber.exists:
                continue
            mark = "*" if number == (State.looking if State.looking is not None else current) else " "
            what = "running" if number == current else fiber.step() if fiber.is_live else fiber.status
            print(f"{mark} thread {number}: {what}" + (f"  ({fiber.place})" if fiber.place else ""))


class Thread(gdb.Command):
    """Look at the frames of thread N. 'heddle back', and whatever resumes the program, returns to
    the thread that is running."""

    def __init__(self):
        super().__init__("heddle thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        where = layout()
        number = number_in(argument)
        if not 0 <= number < where.threads or not where.fiber(number).exists:
            raise gdb.GdbError(f"there is no thread {number}; see 'heddle threads'")
        fiber = where.fiber(number)
        if number == where.current():
            go_back()
        elif not fiber.is_live:
            raise gdb.GdbError(f"thread {number} has {fiber.status}: it has no frames")
        elif fiber.op == START:
            raise gdb.GdbError(f"thread {number} has not begun: it has no frames")
        else:
            look_at(fiber)
        show_users_frame()


class Back(gdb.Command):
    """Return to the thread that is running."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        layout()
        go_back()
        show_users_frame()


class Events(gdb.Command):
    """List the events of the run. The arrow is at the one that the program is at."""

    def __init__(self):
        super().__init__("heddle events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        known = events()
        for event in known["events"]:
            number = event["number"]
            mark = "=>" if number == State.event and number != 0 else "  "
            print(f"{mark} {number or '':>4}  {described(event)}")
        print(known["finding"])


def go_back_before_resuming():
    for command in RESUMING:
        gdb.execute(f"define hook-{command}\npython go_back()\nend", to_string=True)


for make in (ThreadLocal, Heddle, Start, Next, Threads, Thread, Back, Events):
    make()
go_back_before_resuming()
gdb.events.stop.connect(on_stop)
gdb.events.new_objfile.connect(on_load)
