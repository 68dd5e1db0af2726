"""Draws curves as SVG."""

from xml.sax.saxutils import escape

WIDTH, HEIGHT = 300, 220  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 28, 40  # around the curve
STYLE = """
text { font: 11px sans-serif; fill: #333 }
.title { font-weight: bold }
.axis { stroke: #333; fill: none }
.grid { stroke: #ddd }
.curve { stroke: #0b62a4; stroke-width: 1.5; fill: none }
.point { fill: #0b62a4 }
.paper { fill: #fff }
"""


def ticks(most):
    """From 0 on, at most seven round numbers that reach `most`."""
    step = 1e-6
    while True:
        for factor in (1, 2, 5):
            if step * factor * 6 >= most:
                step *= factor
                count = 0
                while step * count < most:
                    count += 1
                return [round(step * k, 9) for k in range(count + 1)]
        step *= 10


class Panel:
    """One curve: points (x, y), with both axes from 0 on."""

    def __init__(self, title, across, up, points):
        self.title, self.across, self.up, self.points = title, across, up, points
        self.x_ticks = ticks(max(x for x, _ in points))
        self.y_ticks = ticks(max(y for _, y in points))

    def x(self, value):
        return LEFT + value / self.x_ticks[-1] * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.y_ticks[-1] * (HEIGHT - TOP - BOTTOM)

    def parts(self):
        bottom, right = self.y(0), self.x(self.x_ticks[-1])
        yield text(WIDTH / 2, 16, self.title, "middle", "title")
        for tick in self.y_ticks:
            yield f'<path class="grid" d="M{LEFT} {self.y(tick):.1f}H{right:.1f}"/>'
            yield text(LEFT - 6, self.y(tick) + 4, f"{tick:g}", "end")
        for tick in self.x_ticks:
            yield text(self.x(tick), bottom + 15, f"{tick:g}", "middle")
        yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom:.1f}H{right:.1f}"/>'
        yield text((LEFT + right) / 2, HEIGHT - 8, self.across, "middle")
        yield (f'<text text-anchor="middle" transform="translate(12 {(TOP + bottom) / 2:.1f}) '
               f'rotate(-90)">{escape(self.up)}</text>')
        curve = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in self.points)
        yield f'<polyline class="curve" points="{curve}"/>'
        for x, y in self.points:
            yield f'<circle class="point" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.5"/>'


def text(x, y, words, anchor, style=""):
    kind = f' class="{style}"' if style else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def drawing(panels):
    """The panels beside each other."""
    width = WIDTH * len(panels)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
             f'viewBox="0 0 {width} {HEIGHT}">', f"<style>{STYLE}</style>",
             f'<rect class="paper" width="{width}" height="{HEIGHT}"/>']
    for k, panel in enumerate(panels):
        lines += [f'<g transform="translate({k * WIDTH} 0)">', *panel.parts(), "</g>"]
    return "\n".join([*lines, "</svg>", ""])
