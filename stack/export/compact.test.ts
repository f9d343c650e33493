// The law of a compact file: it resolves to what the plain file says, and is never longer. RUNS in the environment says how many random stacks.
import fc from 'fast-check';
import { parse } from 'yaml';
import { classMetadata, templateClass } from '../../api/contract';
import { withSettings } from '../../test/conformance/random-settings';
import { randomStack } from '../../test/conformance/random-stacks';
import { documentOf } from '../../test/conformance/stack-yaml';
import { readStack } from '../bind/bind-stack';
import { resolvedLines } from '../compose/resolved-file';
import { stackText, type FileContents } from '../write/stack-text';
import { compacted } from './compact';

const RUNS = Number(process.env['RUNS'] ?? 8);

/** What a file says once it is resolved. */
function said(text: string): FileContents {
  const { root, findings } = readStack([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'there is none' }),
  });
  expect([text, findings.filter(({ severity }) => severity === 'error')]).toEqual([text, []]);
  if (root === undefined) throw new Error(text);
  return parse(
    resolvedLines(root, 'oneops.yaml')
      .map((line) => `${line.text}\n`)
      .join(''),
  ) as FileContents;
}

const compact = (document: FileContents): string => stackText(compacted(document));

const BASE = { assembly: { name: 'shop', owner: 'team@acme.io' } };

test('things of one map become one entry, with the names that they have in common before the dash', () => {
  const service = (size: string, pack = 'oneops/tomcat:1') => ({ pack, components: { compute: { size } } });
  const platforms = { 'shop-orders': service('L'), 'shop-carts': service('S'), db: service('L', 'oneops/mysql:1') };
  const environment = { clouds: { east: { priority: 1 } } };
  const document = { ...BASE, platforms, environments: { dev: environment, qa: environment } };
  expect(compact(document)).toBe(`assembly: { name: shop, owner: team@acme.io }

platforms:
  'shop-$\{each.key}':
    each: { orders: { size: L }, carts: { size: S } }
    pack: oneops/tomcat:1
    components: { compute: { size: '$\{each.value.size}' } }
  db:
    pack: oneops/mysql:1
    components: { compute: { size: L } }

environments:
  '$\{each.key}':
    each: [dev, qa]
    clouds: { east: { priority: 1 } }
`);
  expect(said(compact(document))).toEqual(said(stackText(document)));
});

test('things of several maps become a template', () => {
  const user = (username: string) => ({
    username,
    sudoer: true,
    authorized_keys: ['ssh-rsa AAA', 'ssh-rsa BBB'],
    attachments: { motd: { path: '/etc/motd', content: 'Welcome to this machine', exec_cmd: 'chmod 644 /etc/motd' } },
  });
  const platforms = {
    web: { pack: 'oneops/tomcat:1', components: { user: { deployer: user('deployer') } } },
    db: { pack: 'oneops/mysql:1', links: ['web'], components: { user: { deployer: user('robot') } } },
  };
  const text = compact({ ...BASE, platforms });
  expect(text).toContain('components: { user: { use: user, with: { username: robot } } }');
  expect(text).toContain('    parameters: { username: { type: string } }\n');
  expect(said(text)).toEqual(said(stackText({ ...BASE, platforms })));
});

test('a file without anything alike stays as it is', () => {
  const document = { ...BASE, platforms: { web: { pack: 'oneops/tomcat:1' } } };
  expect(compacted(document)).toBe(document);
});

test('random stacks, with platforms and environments that are alike', () => {
  let shorter = 0;
  const names = fc.uniqueArray(fc.constantFrom('api', 'shop-one', 'shop-two', 'x1', 'true'), { maxLength: 4 });
  fc.assert(
    fc.property(
      randomStack.map(withSettings),
      names,
      fc.constantFrom('', 'L', '${config.x}', 'a $${b}'),
      (spec, more, text) => {
        const plain: FileContents = documentOf(spec);
        const alike = (part: string): FileContents => {
          const things = (plain[part] ?? {}) as FileContents;
          const [first] = Object.values(things) as FileContents[];
          const copies = first === undefined ? [] : more.map((name) => [name, { ...first, description: name + text }]);
          return { [part]: { ...things, ...Object.fromEntries(copies) } };
        };
        const config = { x: { type: 'string' } };
        const document = { ...plain, config, ...alike('platforms'), ...alike('environments') };
        const [long, short] = [stackText(document), compact(document)];
        expect(short.length).toBeLessThanOrEqual(long.length);
        expect([short, said(short)]).toEqual([short, said(long)]);
        if (short.length < long.length) shorter += 1;
      },
    ),
    { numRuns: RUNS, seed: 20_261_122 },
  );
  process.stdout.write(`compact files ${RUNS}, same ${RUNS}, shorter ${shorter}\n`);
});
