// What the page does in a browser: filters findings and stacks, leads to one of them, copies commands.
// The page is complete without it; it writes no markup and speaks to nothing outside the page.
'use strict';
(() => {
  const list = (selector) => [...document.querySelectorAll(selector)];
  const form = document.querySelector('.filters');
  if (form === null) return;
  const textOf = (...parts) =>
    parts
      .map((part) => part?.textContent ?? '')
      .join(' ')
      .toLowerCase();
  const summaryOf = (part) => part.closest('.stack')?.querySelector('summary');
  const all = list('.finding');
  const texts = all.map((each) => textOf(summaryOf(each), each.parentNode.querySelector('.record-head'), each));
  const stacks = list('.stack');

  function apply() {
    const words = form.elements.text.value.toLowerCase().split(/\s+/);
    const buckets = list('[name=bucket]:checked').map((box) => box.value);
    const matches = (text) => words.every((word) => text.includes(word));
    const isEmpty = (box) => box.querySelector('.finding:not([hidden])') === null;
    all.forEach((finding, index) => {
      finding.hidden = !buckets.includes(finding.dataset.bucket) || !matches(texts[index]);
    });
    for (const box of list('.record, .group')) box.hidden = isEmpty(box);
    for (const stack of stacks) stack.hidden = isEmpty(stack) && !matches(textOf(summaryOf(stack)));
    const count = all.filter((finding) => !finding.hidden).length;
    document.getElementById('shown').textContent = count === all.length ? String(count) : `${count} of ${all.length}`;
    document.getElementById('no-match').hidden = count > 0 || stacks.some((stack) => !stack.hidden);
  }
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply, 0));
  apply();

  // A link can lead into a folded stack, and to what the filters hide.
  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    const stack = target?.closest('.stack');
    if (stack) stack.open = true;
    if (target?.closest('[hidden]')) form.reset();
    // After the reset has shown the target, and the stack has opened.
    setTimeout(() => target?.scrollIntoView(), 0);
  }
  window.addEventListener('hashchange', follow);
  // A link that leads to where the page is already changes nothing in its address.
  for (const link of list('a')) link.addEventListener('click', () => setTimeout(follow, 0));
  follow();

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
