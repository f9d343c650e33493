// What the page does in a browser: filters, copies, selects several findings, changes the view, moves from finding to finding.
// The page is complete without it; it writes no markup and speaks to nothing outside the page.
'use strict';
(function () {
  var form = document.querySelector('.filters');
  if (!form) return;
  function list(selector) {
    return Array.prototype.slice.call(document.querySelectorAll(selector));
  }
  var cards = document.getElementById('cards');
  var table = document.getElementById('table');
  var bar = document.querySelector('.selection');
  var shown = document.getElementById('shown');
  var noMatch = document.getElementById('no-match');
  var all = list('.finding');
  var rows = {};
  list('.row').forEach(function (row) {
    rows[row.dataset.finding] = row;
  });
  var texts = all.map(function (finding) {
    return (finding.parentNode.querySelector('.record-head').textContent + ' ' + finding.textContent).toLowerCase();
  });
  var visible = all;
  var picked = {};

  function isTable() {
    return form.elements.view.value === 'table';
  }
  function show(view) {
    form.elements.view.value = view;
    apply();
  }

  function apply() {
    var words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    var buckets = list('[name=bucket]')
      .filter(function (box) {
        return box.checked;
      })
      .map(function (box) {
        return box.value;
      });
    var choices = ['classification', 'kind', 'person'].map(function (name) {
      return [name, form.elements[name].value];
    });
    visible = all.filter(function (finding, index) {
      var fits =
        buckets.indexOf(finding.dataset.bucket) >= 0 &&
        choices.every(function (choice) {
          return choice[1] === '' || finding.dataset[choice[0]] === choice[1];
        }) &&
        words.every(function (word) {
          return texts[index].indexOf(word) >= 0;
        });
      finding.hidden = !fits;
      rows[finding.dataset.finding].hidden = !fits;
      return fits;
    });
    list('.record, .group').forEach(function (box) {
      box.hidden = box.querySelector('.finding:not([hidden])') === null;
    });
    shown.textContent = visible.length === all.length ? String(all.length) : visible.length + ' of ' + all.length;
    noMatch.hidden = visible.length > 0;
    table.hidden = !isTable() || visible.length === 0;
    cards.hidden = isTable();
    tally();
  }

  function chosen() {
    return all.filter(function (finding) {
      return picked[finding.dataset.finding];
    });
  }
  function commandFor(verb) {
    var ids = chosen()
      .filter(function (finding) {
        return finding.dataset.can.split(' ').indexOf(verb) >= 0;
      })
      .map(function (finding) {
        return finding.dataset.finding;
      });
    var rest = verb === 'ignore' ? ' --reason TEXT --owner NAME --until DAY' : '';
    return { count: ids.length, text: 'pulumi-oneops drift ' + verb + ' ' + ids.join(' ') + rest };
  }
  function tally() {
    var count = chosen().length;
    var away = chosen().filter(function (finding) {
      return finding.hidden;
    }).length;
    bar.hidden = count === 0;
    bar.querySelector('.selected').textContent = count + ' selected' + (away === 0 ? '' : ', ' + away + ' not shown');
    Array.prototype.forEach.call(bar.querySelectorAll('[data-verb]'), function (button) {
      var able = commandFor(button.dataset.verb).count;
      button.disabled = able === 0;
      button.textContent = 'Copy ' + button.dataset.verb + (able === count || able === 0 ? '' : ' (' + able + ')');
    });
  }
  function pick(id, on) {
    if (on) picked[id] = true;
    else delete picked[id];
    list('.pick input').forEach(function (box) {
      if (box.value === id) box.checked = on;
    });
    bar.querySelector('.made').textContent = '';
  }
  document.addEventListener('change', function (event) {
    if (event.target.name === 'view') apply();
    if (!event.target.closest('.pick')) return;
    pick(event.target.value, event.target.checked);
    tally();
  });
  bar.querySelector('.all').addEventListener('click', function () {
    visible.forEach(function (finding) {
      pick(finding.dataset.finding, true);
    });
    tally();
  });
  bar.querySelector('.clear').addEventListener('click', function () {
    Object.keys(picked).forEach(function (id) {
      pick(id, false);
    });
    tally();
  });
  list('[data-verb]').forEach(function (button) {
    button.addEventListener('click', function () {
      var made = bar.querySelector('.made');
      made.textContent = commandFor(button.dataset.verb).text;
      copy(made, button, button.textContent);
    });
  });

  form.hidden = false;
  list('.pick, .keys, .views').forEach(function (control) {
    control.hidden = false;
  });
  form.addEventListener('input', apply);
  form.addEventListener('change', apply);
  form.addEventListener('submit', function (event) {
    event.preventDefault();
  });
  form.addEventListener('reset', function () {
    setTimeout(apply, 0);
  });
  apply();

  function reveal() {
    var finding = location.hash.slice(0, 3) === '#f-' ? document.getElementById(location.hash.slice(1)) : null;
    if (!finding) return;
    if (isTable()) show('details');
    if (!finding.hidden) {
      finding.scrollIntoView();
      return;
    }
    form.reset();
    setTimeout(function () {
      finding.scrollIntoView();
    }, 0);
  }
  window.addEventListener('hashchange', reveal);
  table.addEventListener('click', function (event) {
    if (event.target.closest('a')) setTimeout(reveal, 0);
  });

  function current() {
    var inside = document.activeElement && document.activeElement.closest('[data-finding]');
    return inside
      ? all.filter(function (finding) {
          return finding.dataset.finding === inside.dataset.finding;
        })[0]
      : undefined;
  }
  function move(step) {
    var at = visible.indexOf(current());
    var next = visible[at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step];
    if (next) (isTable() ? rows[next.dataset.finding].querySelector('a') : next).focus();
  }
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    var isTyping = /^(SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.type === 'search';
    if (event.key === 'Escape' && event.target === form.elements.text) {
      event.target.value = '';
      apply();
    } else if (isTyping) return;
    else if (event.key === '/') {
      event.preventDefault();
      form.elements.text.focus();
    } else if (event.key === 'j') move(1);
    else if (event.key === 'k') move(-1);
    else if (event.key === 't') show(isTable() ? 'details' : 'table');
    else if (event.key === 'x' && current()) {
      pick(current().dataset.finding, !picked[current().dataset.finding]);
      tally();
    }
  });

  function select(code) {
    var range = document.createRange();
    range.selectNodeContents(code);
    var selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  function copy(code, button, before) {
    function say(word) {
      button.textContent = word;
      setTimeout(function () {
        button.textContent = before;
      }, 1500);
    }
    if (!navigator.clipboard) {
      select(code);
      return;
    }
    navigator.clipboard.writeText(code.textContent).then(
      function () {
        say('Copied');
      },
      function () {
        select(code);
        say('Selected');
      },
    );
  }
  list('.copy').forEach(function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      copy(button.parentNode.querySelector('code'), button, 'Copy');
    });
  });
})();
