// One run on an HTML page: selecting rows, moving the source with them, the state at a row, arrows,
// folding and filters. Texts of the program are only ever set as text.
'use strict';
const Run = (() => {
  const NS = 'http://www.w3.org/2000/svg';
  const MANY_VALUES = 80;   // objects whose values are shown, the latest ones
  const BEYOND = 600;       // pixels around what is in sight in which arrows are drawn
  const TAKES = new Set(['lock', 'try-lock', 'read-lock', 'try-read-lock', 'write-lock', 'try-write-lock']);
  const RELEASES = new Set(['unlock', 'read-unlock', 'write-unlock']);

  const element = (name, text, classes) => {
    const out = document.createElement(name);
    if (text !== undefined) out.textContent = text;
    if (classes) out.className = classes;
    return out;
  };
  const once = (action) => {
    let waiting = false;
    return () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; action(); });
    };
  };

  // Values, holders of locks, and the latest row of each thread, after row `at`.
  function stateAt(data, at) {
    const values = new Map(), holders = new Map(), latest = new Map();
    for (let k = 0; k <= at; ++k) {
      const row = data.rows[k];
      latest.set(row.t, k);
      if (row.k === 'waits') continue;
      for (const [object, verb, before, after] of row.a || []) {
        const value = after !== null ? after : before;
        const old = values.get(object);
        if (value !== null) {
          values.delete(object);  // so that the latest come last
          const was = old ? old.value : before;
          values.set(object, {value, was, row: k});
        } else if (verb === 'free') {
          values.delete(object);
          values.set(object, {value: 'freed', was: old ? old.value : null, row: k});
        }
        if (TAKES.has(verb)) {
          if (!holders.has(object)) holders.set(object, new Map());
          holders.get(object).set(row.t, k);
        }
        if (RELEASES.has(verb) && holders.has(object)) holders.get(object).delete(row.t);
      }
    }
    return {values, holders, latest};
  }

  class Run {
    static element = element;

    constructor(article) {
      this.article = article;
      this.find = (selector) => article.querySelector(selector);
      this.data = JSON.parse(this.find('script.data').textContent);
      this.list = this.find('.rows');
      this.rows = [...article.querySelectorAll('.rows > .row')];
      this.slider = this.find('.scrub input');
      this.board = this.find('.board');
      this.svg = this.find('.arrows');
      this.now = -1;
      this.names = this.namesOfObjects();
      this.users = this.rows.map(() => []);  // of a row: rows that have a link to it
      this.data.rows.forEach((row, k) => (row.x || []).forEach(([, from]) => this.users[from].push(k)));
      this.list.classList.add('fold');
      this.fillFilters();
      this.listen();
      this.refresh();
      this.select(this.endRow(), false);
      this.draw = once(() => this.drawArrows());
      new ResizeObserver(this.draw).observe(this.board);
      addEventListener('scroll', this.draw, {passive: true});
    }

    // Two objects of one name are told apart by a number.
    namesOfObjects() {
      const times = new Map();
      return this.data.objects.map(([name]) => {
        const n = (times.get(name) || 0) + 1;
        times.set(name, n);
        return n === 1 ? name : `${name} (${n})`;
      });
    }

    endRow() {
      return Math.max(0, Math.min(this.data.end, this.rows.length) - 1);
    }

    fillFilters() {
      const objects = this.find('.by-object'), kinds = this.find('.by-kind');
      this.names.forEach((name, k) => {
        const option = element('option', name.length > 80 ? name.slice(0, 80) + '…' : name);
        option.value = k;
        objects.append(option);
      });
      const verbs = new Set();
      for (const row of this.data.rows) for (const [, verb] of row.a || []) verbs.add(verb);
      for (const verb of [...verbs].sort()) kinds.append(element('option', verb));
    }

    listen() {
      const on = (selector, event, action) => {
        for (const e of this.article.querySelectorAll(selector)) e.addEventListener(event, action);
      };
      on('.by-object, .by-kind, .fold, .heads input', 'change', () => this.refresh());
      on('.previous', 'click', () => this.step(-1));
      on('.next', 'click', () => this.step(1));
      on('.copy', 'click', (event) => this.copy(event.currentTarget));
      this.slider.addEventListener('input', () => this.select(this.shown[this.slider.value], true));
      this.list.addEventListener('click', (event) => {
        const gap = event.target.closest('.gap button');
        if (gap) return this.unfold(+gap.dataset.from, +gap.dataset.to, gap.parentElement);
        if (event.target.closest('a')) return undefined;
        const row = event.target.closest('.row');
        if (row) this.select(this.rows.indexOf(row), false);
        return undefined;
      });
    }

    copy(button) {
      const code = button.parentElement.querySelector('code');
      getSelection().selectAllChildren(code);
      const done = () => { button.textContent = 'copied'; };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, () => {});
    }

    unfold(from, to, gap) {
      for (let k = from; k < to; ++k) this.rows[k].classList.remove('extra');
      gap.remove();
      this.refresh();
      this.select(from, false);
      this.rows[from].querySelector('.no').focus();
    }

    // Which rows are shown, by filters and folding. Filtered rows are not folded: few are left.
    refresh() {
      const object = this.find('.by-object').value, kind = this.find('.by-kind').value;
      const off = new Set([...this.article.querySelectorAll('.heads input:not(:checked)')]
        .map((e) => +e.dataset.thread));
      const filtered = object !== '' || kind !== '' || off.size > 0;
      const fold = this.find('.fold').checked && !filtered;
      this.list.classList.toggle('fold', fold);
      this.shown = [];
      this.rows.forEach((row, k) => {
        const data = this.data.rows[k], actions = data.a || [];
        const wanted = !off.has(data.t) &&
          (object === '' || actions.some((a) => a[0] === +object)) &&
          (kind === '' || actions.some((a) => a[1] === kind));
        if (row.hidden === wanted) row.hidden = !wanted;
        if (wanted && !(fold && row.classList.contains('extra'))) this.shown.push(k);
      });
      this.slider.max = Math.max(0, this.shown.length - 1);
      this.slider.disabled = this.shown.length === 0;
      if (this.now >= 0) this.showPosition();
      if (this.draw) this.draw();
    }

    showPosition() {
      const row = this.data.rows[this.now], at = this.shown.indexOf(this.now);
      this.slider.value = Math.max(0, at);
      const text = row.n ? `step ${row.n}` : row.k;
      this.slider.setAttribute('aria-valuetext', `${text}, thread ${row.t}`);
      this.find('.scrub output').textContent = `${text}, thread ${row.t}`;
    }

    // The next row that is shown, in this direction; of one thread, if it is given.
    step(direction, thread) {
      const fits = (k) => (k - this.now) * direction > 0 &&
        (thread === undefined || this.data.rows[k].t === thread);
      const next = direction > 0 ? this.shown.find(fits) : this.shown.findLast(fits);
      if (next !== undefined) this.select(next, true);
    }

    reveal(k) {
      const row = this.rows[k];
      if (row.hidden) {
        for (const e of this.article.querySelectorAll('.heads input')) e.checked = true;
        this.find('.by-object').value = this.find('.by-kind').value = '';
        this.refresh();
      }
      if (!this.shown.includes(k)) {
        this.find('.fold').checked = false;
        this.refresh();
      }
    }

    select(k, scroll) {
      if (k === undefined || !this.rows[k]) return;
      if (this.now >= 0) this.rows[this.now].classList.remove('now');
      this.now = k;
      this.rows[k].classList.add('now');
      this.showPosition();
      this.state = stateAt(this.data, k);
      this.showSource();
      this.showValues();
      this.showThreads();
      if (scroll) this.rows[k].scrollIntoView({block: 'nearest'});
      if (this.draw) this.draw();
    }

    lineOf(row) {
      return row.f === undefined ? null
        : document.getElementById(`${this.data.id}-f${row.f}-${row.l}`);
    }

    showSource() {
      for (const e of this.article.querySelectorAll('.code .at')) if (e.firstChild) e.replaceChildren();
      for (const e of this.article.querySelectorAll('.code .now')) e.classList.remove('now');
      const line = this.lineOf(this.data.rows[this.now]);
      for (const [thread, k] of this.state.latest) {
        const at = this.lineOf(this.data.rows[k]);
        if (at) at.querySelector('.at').textContent += `T${thread} `;
      }
      if (!line) return;
      line.classList.add('now');
      const file = line.closest('.file');
      for (const e of this.article.querySelectorAll('.file')) e.hidden = e !== file;
      const code = line.closest('.code');
      code.scrollTop = line.offsetTop - code.offsetTop - code.clientHeight / 2;
    }

    showValues() {
      const table = element('table'), body = element('tbody');
      const {values, holders} = this.state;
      const line = (object, text, row) => {
        const tr = element('tr', undefined, row === this.now ? 'now' : '');
        const name = element('td');
        name.append(element('code', this.names[object]));
        tr.append(name, element('td', text));
        body.prepend(tr);
      };
      [...values].slice(-MANY_VALUES).forEach(([object, {value, was, row}]) => line(object,
        row === this.now && was !== null && was !== value ? `${was} → ${value}` : value, row));
      for (const [object, by] of holders)
        if (by.size > 0)
          line(object, `held by ${[...by.keys()].map((t) => `thread ${t}`).join(', ')}`,
               Math.max(...by.values()));
      table.append(body);
      this.find('.values').replaceChildren(...(body.firstChild ? [table] : []));
      const row = this.data.rows[this.now];
      this.find('.at-row').textContent = row.n ? `After step ${row.n}` : 'At the finding';
      if (row.later) this.find('.at-row').textContent += ', after the finding';
    }

    showThreads() {
      const out = [];
      for (const [thread, name] of this.data.threads) {
        const one = element('div', undefined, `one t${thread % 8}`);
        one.append(element('p', name));
        const k = this.state.latest.get(thread);
        if (k === undefined) {
          one.append(element('p', 'no step yet'));
        } else {
          const row = this.data.rows[k], link = element('a', row.n ? `step ${row.n}` : row.k);
          link.href = `#${this.data.id}-s${k + this.data.first}`;
          const p = element('p', this.rows[k].querySelector('.what').textContent + ' ');
          p.append(link);
          one.append(p);
          if (row.s !== undefined) one.append(this.stack(row.s));
        }
        out.push(one);
      }
      this.find('.threads').replaceChildren(...out);
    }

    stack(number) {
      const list = element('ol', undefined, 'frames');
      for (const [name, place, system] of this.data.stacks[number]) {
        const frame = element('li', undefined, system ? 'system' : '');
        frame.append(element('code', name), ` ${place}`);
        list.append(frame);
      }
      return list;
    }

    // Rows that are shown within these heights of the board, as places in `shown`.
    inSight(top, bottom) {
      const first = (height) => {
        let low = 0, high = this.shown.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.rows[this.shown[middle]].offsetTop < height) low = middle + 1; else high = middle;
        }
        return low;
      };
      return [Math.max(0, first(top) - 1), first(bottom)];
    }

    // Down the lifeline of the row it is from, through the gap below that row, beside the lifeline
    // of the other, and to that: not across texts.
    path(from, to, kind, number) {
      const a = this.rows[from], b = this.rows[to];
      const x1 = this.lane(this.data.rows[from].t), x2 = this.lane(this.data.rows[to].t);
      const y1 = a.offsetTop + 14, y2 = b.offsetTop + 14, below = a.offsetTop + a.offsetHeight - 4;
      const side = x2 - 8 - (number % 3) * 2;
      const d = x1 === x2 ? `M${x1 - 3} ${y1}V${y2}` : `M${x1} ${y1}V${below}H${side}V${y2}H${x2 - 5}`;
      const line = document.createElementNS(NS, 'path'), tip = document.createElementNS(NS, 'path');
      line.setAttribute('d', d);
      line.setAttribute('class', kind + (to === this.now || from === this.now ? ' now' : ''));
      tip.setAttribute('d', `M${x2 - 2} ${y2}l-6 -4v8z`);
      tip.setAttribute('class', 'tip');
      return [line, tip];
    }

    lane(thread) {
      const lanes = this.lanes || (this.lanes = new Map());
      if (!lanes.has(thread)) {
        const k = this.data.threads.findIndex(([t]) => t === thread);
        lanes.set(thread, this.article.querySelectorAll('.lane')[k].offsetLeft + 1);
      }
      return lanes.get(thread);
    }

    drawArrows() {
      if (this.article.hidden) return;
      this.lanes = null;
      const top = -this.board.getBoundingClientRect().top;
      const [begin, end] = this.inSight(top - BEYOND, top + innerHeight + BEYOND);
      const seen = new Set(this.shown), out = [], done = new Set();
      const add = (from, to, kind) => {
        const key = `${from} ${to} ${kind}`;
        if (done.has(key) || !seen.has(from) || !seen.has(to)) return;
        done.add(key);
        out.push(...this.path(from, to, kind, done.size));
      };
      for (const k of this.shown.slice(begin, end)) {
        for (const [kind, from] of this.data.rows[k].x || []) add(from, k, kind);
        for (const to of this.users[k])
          for (const [kind, from] of this.data.rows[to].x) if (from === k) add(k, to, kind);
      }
      this.svg.replaceChildren(...out);
    }
  }

  return Run;
})();
