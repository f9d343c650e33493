// The stack schema takes values as a file may write them, where the reader takes them too; and refuses what the reader refuses.
import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, templateClass } from '../../api/contract';
import { readStack } from '../../stack';

const schema = JSON.parse(readFileSync(join(__dirname, '..', '..', 'stack.schema.json'), 'utf8')) as object;
const isValid = new Ajv({ strict: false }).compile(schema);

const reads = (stack: object): boolean =>
  readStack([{ name: 'oneops.yaml', text: JSON.stringify(stack) }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'there is none' }),
  }).findings.every(({ severity }) => severity === 'warning');

const assembly = { name: 'shop' };
const attached = (attachment: object): object => ({
  assembly,
  platforms: {
    web: {
      pack: 'oneops/tomcat:1',
      components: { compute: { attachments: { motd: { content: 'hello', source: 'http://x.io', ...attachment } } } },
    },
  },
});
const onClouds = (link: object): object => ({ assembly, environments: { prod: { clouds: { east: link } } } });

test.each<[string, object, boolean]>([
  ['a number among tags', { assembly: { ...assembly, tags: { cost: 4711, live: true } } }, true],
  ['a number among headers', attached({ headers: { X: 3 } }), true],
  ['a list among headers', attached({ headers: { X: [3] } }), false],
  ['a whole number in quotes', attached({ priority: '1' }), true],
  ['a text for a whole number', attached({ priority: 'one' }), false],
  ['a priority of a cloud in quotes', onClouds({ priority: '1' }), true],
  ['a priority of a cloud as a word', onClouds({ priority: 'first' }), false],
  ['keys of your own', { assembly, 'x-anything': [1, { a: 2 }] }, true],
  [
    'a platform that uses a template',
    { assembly, templates: { t: { body: { pack: 'oneops/tomcat:1' } } }, platforms: { web: { use: 't' } } },
    true,
  ],
  [
    'platforms from each',
    { assembly, platforms: { '${each.key}': { each: ['web'], pack: 'oneops/tomcat:1', when: true } } },
    true,
  ],
  ['a parameter without a type', { assembly, templates: { t: { parameters: { a: {} }, body: {} } } }, false],
  [
    'an overlay with another default of a configuration value',
    {
      assembly: { ...assembly, owner: '${config.n}' },
      config: { n: { type: 'string', default: 'a@b.io' } },
      overlays: { p: { config: { n: { default: 'b@b.io' } } } },
    },
    true,
  ],
  [
    'an overlay that removes a configuration value',
    { assembly, config: { n: { type: 'string' } }, overlays: { p: { config: { n: null } } } },
    true,
  ],
  ['a configuration value without a type', { assembly, config: { n: { default: 'a' } } }, false],
  ['other keys', { assembly, anything: 1 }, false],
])('%s', (_, stack, expected) => {
  expect([reads(stack), isValid(stack)]).toEqual([expected, expected]);
});
