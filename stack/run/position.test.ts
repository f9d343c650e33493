// What the SDK finds on the call stack while something is registered, and that all is as before afterwards.
import { Resource } from '@pulumi/pulumi/resource';
import { at } from './register';

const PLACE = { file: '/stacks/oneops.yaml', line: 7, column: 3 };

const sdk = Resource as unknown as { callsites(): readonly object[] };

const framesOf = (error: Error): number => (error.stack ?? '').split('\n    at ').length - 1;

afterEach(() => {
  delete process.env['PULUMI_DEBUG_PROMISE_LEAKS'];
});

test('the place is where the SDK looks, an error shows where it was made, and no more stack is written down', () => {
  const before = { callsites: sdk.callsites, limit: Error.stackTraceLimit };
  const { sites, frames } = at(PLACE, () => ({ sites: sdk.callsites(), frames: framesOf(new Error('made inside')) }));
  expect(sites.at(-1)).toEqual(PLACE);
  expect(frames).toBe(1);
  expect(() =>
    at(PLACE, () => {
      throw new Error('refused');
    }),
  ).toThrow('refused');
  expect({ callsites: sdk.callsites, limit: Error.stackTraceLimit }).toEqual(before);
});

test('whoever looks for leaking promises gets whole stacks', () => {
  process.env['PULUMI_DEBUG_PROMISE_LEAKS'] = '1';
  expect(at(PLACE, () => framesOf(new Error('made inside')))).toBeGreaterThan(1);
});
