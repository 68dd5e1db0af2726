"""A browser without a window, to be told what to do: Debian's chromium, through a pipe.

It is Chromium's own protocol (DevTools): a command is JSON that ends with a NUL, and so is what
comes back.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile

SECONDS = 600  # for anything that is asked: long enough for any machine


class PageError(Exception):
    """A page threw an exception, or wants something that is not there."""


class Browser:
    """To be used as a context. One page at a time."""

    def __enter__(self):
        binary = shutil.which("chromium")
        if binary is None:
            raise FileNotFoundError("chromium is not installed (apt-get install chromium)")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # It reads from 3 and writes to 4.
        launch = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", launch, "chromium", binary, "--headless=new", "--no-sandbox",
             "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             "--disable-background-networking", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"],
                                flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log":
            self.ask(domain + ".enable")
        return self

    def __exit__(self, *_):
        os.close(self.output)
        os.close(self.input)
        self.process.kill()
        self.process.wait(SECONDS)
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.buffer:
            data = os.read(self.input, 1 << 20)
            if not data:
                raise PageError("the browser has ended")
            self.buffer += data
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.message())

    def size(self, width, height=900, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def scripts(self, allowed):
        self.ask("Emulation.setScriptExecutionDisabled", value=not allowed)

    def load(self, path, fragment=""):
        """From a file. The page is loaded and its script has run."""
        for url in "about:blank", "file://" + os.path.abspath(path) + fragment:
            self.events = []
            self.ask("Page.navigate", url=url)
            self.wait_for("Page.loadEventFired")

    def problems(self):
        """Exceptions, complaints of the browser, and requests of anything but the page itself."""
        out = []
        for event in self.events:
            what = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                out.append(what["exceptionDetails"])
            elif event.get("method") == "Log.entryAdded":
                out.append(what["entry"])
            elif event.get("method") == "Network.requestWillBeSent":
                url = what["request"]["url"]
                if not url.startswith(("file:", "about:")):
                    out.append(url)
        return out

    def evaluate(self, expression):
        """The value of an expression of JavaScript, of a promise too."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise PageError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def press(self, key):
        code = {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **code)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))
