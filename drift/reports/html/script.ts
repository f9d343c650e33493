// What the page does in a browser: filter, copy, move from finding to finding. The page is whole without it.
// It must not write markup, nor speak to anything outside the page.

/** The script, as text: it runs in the reader's browser, never here. */
export const SCRIPT = `'use strict';
(function () {
  var form = document.querySelector('.filters');
  var all = Array.prototype.slice.call(document.querySelectorAll('.finding'));
  var shown = document.getElementById('shown');
  var noMatch = document.getElementById('no-match');
  var texts = all.map(function (finding) {
    return (finding.parentNode.querySelector('.record-head').textContent + ' ' + finding.textContent).toLowerCase();
  });
  var visible = all;

  function apply() {
    var words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var severities = Array.prototype.filter.call(form.querySelectorAll('[name=severity]'), function (box) {
      return box.checked;
    }).map(function (box) { return box.value; });
    var choices = ['classification', 'kind', 'person'].map(function (name) { return [name, form.elements[name].value]; });
    visible = all.filter(function (finding, index) {
      var fits = severities.indexOf(finding.dataset.severity) >= 0 &&
        choices.every(function (choice) { return choice[1] === '' || finding.dataset[choice[0]] === choice[1]; }) &&
        words.every(function (word) { return texts[index].indexOf(word) >= 0; });
      finding.hidden = !fits;
      return fits;
    });
    ['.record', '.group'].forEach(function (selector) {
      Array.prototype.forEach.call(document.querySelectorAll(selector), function (box) {
        box.hidden = box.querySelector('.finding:not([hidden])') === null;
      });
    });
    shown.textContent = visible.length === all.length ? String(all.length) : visible.length + ' of ' + all.length;
    noMatch.hidden = visible.length > 0;
  }

  if (form) {
    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('change', apply);
    form.addEventListener('submit', function (event) { event.preventDefault(); });
    form.addEventListener('reset', function () { setTimeout(apply, 0); });
    apply();
  }

  function reveal() {
    var finding = location.hash.slice(0, 3) === '#f-' ? document.getElementById(location.hash.slice(1)) : null;
    if (!finding || !finding.hidden) return;
    form.reset();
    setTimeout(function () { finding.scrollIntoView(); }, 0);
  }
  window.addEventListener('hashchange', reveal);

  function move(step) {
    var at = visible.indexOf(document.activeElement && document.activeElement.closest('.finding'));
    var next = visible[at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step];
    if (next) next.focus();
  }

  Array.prototype.forEach.call(document.querySelectorAll('.keys'), function (keys) { keys.hidden = all.length === 0; });
  document.addEventListener('keydown', function (event) {
    if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
    var isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'Escape' && event.target === form.elements.text) {
      event.target.value = '';
      apply();
    } else if (isTyping) return;
    else if (event.key === '/') {
      event.preventDefault();
      form.elements.text.focus();
    } else if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
  });

  function select(code) {
    var range = document.createRange();
    range.selectNodeContents(code);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  Array.prototype.forEach.call(document.querySelectorAll('.copy'), function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      var code = button.parentNode.querySelector('code');
      function say(word) {
        button.textContent = word;
        setTimeout(function () { button.textContent = 'Copy'; }, 1500);
      }
      if (!navigator.clipboard) { select(code); return; }
      navigator.clipboard.writeText(code.textContent).then(
        function () { say('Copied'); },
        function () { select(code); say('Selected'); }
      );
    });
  });
})();
`;
