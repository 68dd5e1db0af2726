// An HTML page with its runs (run.js): which of them is shown, and keys.
'use strict';
document.documentElement.classList.add('scripted');
(() => {
  const element = Run.element;
  const articles = [...document.querySelectorAll('article.result')];
  const runs = articles.map((a) => a.querySelector('script.data') ? new Run(a) : null);
  const links = [...document.querySelectorAll('nav a')];
  let current = 0;

  function show(k) {
    if (!articles[k]) return;
    current = k;
    articles.forEach((a, n) => { a.hidden = n !== k; });
    links.forEach((a, n) => { if (n === k) a.setAttribute('aria-current', 'true'); else a.removeAttribute('aria-current'); });
    if (runs[k]) runs[k].draw();
  }

  // "#r2-s5": that row; "#r2": that result.
  function follow() {
    const match = /^#r(\d+)(?:-s(\d+))?/.exec(location.hash);
    if (!match) return;
    const k = +match[1] - 1;
    if (k !== current) show(k);
    if (match[2] === undefined || !runs[k]) return;
    const row = +match[2] - runs[k].data.first;
    if (!runs[k].rows[row]) return;
    runs[k].reveal(row);
    runs[k].select(row, true);
  }

  const KEYS = {
    j: ['next row', (run) => run.step(1)],
    k: ['previous row', (run) => run.step(-1)],
    n: ['next row of the thread', (run) => run.step(1, run.data.rows[run.now].t)],
    p: ['previous row of the thread', (run) => run.step(-1, run.data.rows[run.now].t)],
    s: ['where it comes from: along its arrow', (run) => {
      const links_ = run.data.rows[run.now].x;
      if (links_) { run.reveal(links_[0][1]); run.select(links_[0][1], true); }
    }],
    e: ['the finding', (run) => { run.reveal(run.endRow()); run.select(run.endRow(), true); }],
    Home: ['first row', (run) => run.select(run.shown[0], true)],
    End: ['last row', (run) => run.select(run.shown[run.shown.length - 1], true)],
    f: ['fold, unfold', (run) => { const f = run.find('.fold'); f.checked = !f.checked; run.refresh(); }],
    '[': ['previous result', () => show(current - 1)],
    ']': ['next result', () => show(current + 1)],
    '?': ['these keys', () => help()],
  };

  function help() {
    let dialog = document.querySelector('.keys');
    if (!dialog) {
      dialog = element('dialog', undefined, 'keys');
      dialog.setAttribute('aria-label', 'keys');
      const list = element('dl', undefined, 'facts');
      for (const [key, [text]] of Object.entries(KEYS)) {
        const one = element('div');
        one.append(element('dt', key), element('dd', text));
        list.append(one);
      }
      const form = element('form'), close = element('button', 'close');
      form.method = 'dialog';
      close.type = 'button';
      close.addEventListener('click', () => dialog.close());
      form.append(close);
      dialog.append(list, form);
      document.body.append(dialog);
    }
    dialog.showModal();
  }

  addEventListener('keydown', (event) => {
    const field = event.target.closest && event.target.closest('select, .code, dialog');
    const range = event.target.matches && event.target.matches('input[type=range]');
    if (event.ctrlKey || event.altKey || event.metaKey || field || !KEYS[event.key]) return;
    if (range && event.key.length > 1) return;  // the slider has keys of its own
    const run = runs[current];
    if (!run || run.rows.length === 0) return;
    event.preventDefault();
    KEYS[event.key][1](run);
  });
  addEventListener('hashchange', follow);
  if (articles.length > 0) show(0);
  follow();
})();
