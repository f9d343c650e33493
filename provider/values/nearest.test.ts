// Which names are offered for a misspelt one.
import { nearest } from './text';

test.each([
  ['platfroms', ['platforms', 'outputs'], 'platforms'],
  ['pcak', ['pack', 'links'], 'pack'],
  ['sise', ['size'], 'size'],
  ['WEB', ['web'], 'web'],
  ['we', ['web'], 'web'],
  ['dbs', ['db'], 'db'],
  ['bd', ['db'], 'db'],
  ['wbe', ['db', 'web'], 'web'],
  ['XXL', ['XL', 'S'], 'XL'],
  ['a', ['b', 'ab'], undefined],
  ['db', ['qa', 'eu'], undefined],
  ['qa', ['db', 'us'], undefined],
  ['xs', ['xl', 's'], undefined],
  ['w', ['web'], undefined],
  ['web', ['db', 'api'], undefined],
])('%s among %j: %s', (word, known, meant) => expect(nearest(word, known)).toBe(meant));
