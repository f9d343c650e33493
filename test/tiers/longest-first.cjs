// Orders test files so that two workers end at about the same time: the stories on the engine first, then the largest files.
const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const isStory = ({ path }) => path.includes('/test/engine/');

class LongestFirst extends Sequencer {
  sort(tests) {
    const size = new Map(tests.map((each) => [each, statSync(each.path).size]));
    return [...tests].sort((one, other) => isStory(other) - isStory(one) || size.get(other) - size.get(one));
  }
}

module.exports = LongestFirst;
