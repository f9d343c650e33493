// What the page does in a browser: filters the findings, leads to one of them, copies commands.
// The page is complete without it; it writes no markup and speaks to nothing outside the page.
'use strict';
(() => {
  const list = (selector) => [...document.querySelectorAll(selector)];
  const form = document.querySelector('.filters');
  if (form === null) return;
  const all = list('.finding');
  const texts = all.map((finding) =>
    `${finding.parentNode.querySelector('.record-head').textContent} ${finding.textContent}`.toLowerCase(),
  );

  function apply() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/);
    const buckets = list('[name=bucket]:checked').map((box) => box.value);
    all.forEach((finding, index) => {
      finding.hidden = !buckets.includes(finding.dataset.bucket) || !words.every((word) => texts[index].includes(word));
    });
    for (const box of list('.record, .group')) box.hidden = box.querySelector('.finding:not([hidden])') === null;
    const count = all.filter((finding) => !finding.hidden).length;
    document.getElementById('shown').textContent = count === all.length ? String(count) : `${count} of ${all.length}`;
    document.getElementById('no-match').hidden = count > 0;
  }
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply, 0));
  apply();

  // A link can lead to a finding that the filters hide.
  window.addEventListener('hashchange', () => {
    const finding = document.getElementById(location.hash.slice(1));
    if (finding === null || !finding.hidden) return;
    form.reset();
    setTimeout(() => finding.scrollIntoView(), 0);
  });

  function copy(code, button) {
    const say = (word) => {
      button.textContent = word;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    };
    const select = () => window.getSelection().selectAllChildren(code);
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(code.textContent).then(
      () => say('Copied'),
      () => {
        select();
        say('Selected');
      },
    );
  }
  for (const button of list('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button.parentNode.querySelector('code'), button));
  }
})();
