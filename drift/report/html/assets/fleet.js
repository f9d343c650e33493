// What the page of a fleet does: it hides the stacks that do not match, and unfolds the one that a link leads to.
'use strict';
(() => {
  const filter = document.getElementById('filter');
  const rows = [...document.querySelectorAll('[data-text]')];
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target !== null && 'open' in target) target.open = true;
  };
  window.addEventListener('hashchange', unfold);
  unfold();
  if (filter === null) return;
  filter.hidden = false;
  const field = filter.querySelector('input');
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.dataset.text.toLowerCase().includes(word));
    document.getElementById('no-match').hidden = rows.some((row) => !row.hidden);
  });
})();
