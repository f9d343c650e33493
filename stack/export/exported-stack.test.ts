// A compact file that would make too much is written in full.
import { kindInFile, type Kind, type TakenRecord } from '../../provider';
import { exportedStack } from './exported-stack';

const record = (of: Kind, id: string, inputs: TakenRecord['inputs']): TakenRecord => ({
  ...{ of, id, name: id.split('/').at(-1) ?? '', inputs },
  ...{ state: {} as TakenRecord['state'], options: {} },
});

test.each([
  [100, true],
  [12_000, false],
])('%i platforms: compact %j', (count, isCompact) => {
  const platforms = Array.from({ length: count }, (_, index) =>
    record(kindInFile('platforms.*'), `acme/shop/p${index}`, {
      assembly: 'shop',
      name: `p${index}`,
      source: 'oneops',
      pack: 'custom',
      version: '1',
    }),
  );
  const assembly = record(kindInFile('assembly'), 'acme/shop', { name: 'shop', owner: 'team@acme.io' });
  const { text, faults, declared } = exportedStack(
    { records: [assembly, ...platforms], leftOut: [] },
    { head: ['Written.'], isCompact: true },
  );
  expect(faults).toEqual([]);
  expect(text.includes('each:')).toBe(isCompact);
  expect(text.startsWith('# Written.\n# Not compact: "each" and templates would make more of it')).toBe(!isCompact);
  expect(declared).toBe(count + 2);
});
