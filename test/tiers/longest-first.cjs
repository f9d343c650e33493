// Orders test files so that two workers end at about the same time: the stories on the engine first, before them those whose few
// lines play many runs, and then the largest files.
const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const MANY_RUNS = /\/test\/(engine|runs)\/(crashes|simulated|staged-promotion|random-stacks|rehearsals)\.test\.ts$/;

const rankOf = ({ path }) => (MANY_RUNS.test(path) ? 2 : path.includes('/test/engine/') ? 1 : 0);

class LongestFirst extends Sequencer {
  sort(tests) {
    const size = new Map(tests.map((each) => [each, statSync(each.path).size]));
    return [...tests].sort((one, other) => rankOf(other) - rankOf(one) || size.get(other) - size.get(one));
  }
}

module.exports = LongestFirst;
