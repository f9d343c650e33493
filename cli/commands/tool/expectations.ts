// What `tests/*.yaml` expects of a stack, and how a file is read: every expectation has its line.
import * as z from 'zod';
import { checkedData, checkedFile, dataIn } from '../../../stack';

const count = z.number().int().min(0);
const configuration = z
  .record(z.string(), z.unknown())
  .describe('Values of the configuration, over those of the stack')
  .default({});

const expected = z.strictObject({
  outputs: z.record(z.string(), z.unknown()).describe('Outputs of the stack').default({}),
  instances: z
    .record(z.string(), z.union([count, z.record(z.string(), count)]))
    .describe('Running instances by ENVIRONMENT/PLATFORM or ENVIRONMENT/PLATFORM/COMPONENT: a number, or one by cloud')
    .default({}),
  findings: z.array(z.string()).describe('Codes of the findings of check; default: not looked at').optional(),
  policies: z.array(z.string()).describe('Names of the broken policies; default: none').default([]),
});

const change = z.strictObject({
  config: configuration,
  expect: z.strictObject({
    create: count.optional(),
    update: count.optional(),
    replace: count.optional(),
    delete: count.optional(),
  }),
});

const schema = z.strictObject({
  stack: z.string().min(1).describe('Stack whose Pulumi.NAME.yaml and overlay count; default: test').default('test'),
  config: configuration,
  expect: expected.default({ outputs: {}, instances: {}, policies: [] }),
  changes: z.array(change).describe('What a change of the configuration would do').default([]),
});

type Expectations = z.output<typeof schema>;

/** A file, or the text that says what is wrong with it. */
type ExpectationFile =
  { readonly expectations: Expectations; lineOf(path: readonly PropertyKey[]): number } | { readonly problem: string };

/** Reads a file. `name` is how messages call it. */
export function readExpectations(name: string, text: string): ExpectationFile {
  const { root, mistakes, lineOf, wrong } = checkedFile(name, text, text.trim() === '');
  const [fault] = mistakes;
  if (fault !== undefined) return { problem: fault };
  const expectations = checkedData(schema, (root && dataIn(root)) ?? {}, wrong);
  return expectations === undefined ? { problem: mistakes.join('\n') } : { expectations, lineOf };
}

/** An instance, as far as expectations are about it. */
export interface CountedInstance {
  readonly environment: string;
  readonly platform: string;
  readonly component: string;
  readonly cloud: string;
}

/** The instances that an expectation counts: a number, or one for each named cloud. */
export function countedIn(
  instances: readonly CountedInstance[],
  place: string,
  wanted: number | { readonly [cloud: string]: number },
): number | { readonly [cloud: string]: number } {
  const [environment, platform, component] = place.split('/');
  const there = instances.filter(
    (each) =>
      each.environment === environment &&
      each.platform === platform &&
      (component === undefined || each.component === component),
  );
  if (typeof wanted === 'number') return there.length;
  const clouds = [...new Set([...Object.keys(wanted), ...there.map(({ cloud }) => cloud)])];
  return Object.fromEntries(clouds.map((cloud) => [cloud, there.filter((each) => each.cloud === cloud).length]));
}
