// What the SDK's debug messages may say: that the engine answered, never what.
import { withoutAnswers } from './sdk-run';

test('the answer is left out of a debug message, and everything else is reported', () => {
  const told: unknown[][] = [];
  const sdk = { debug: (...said: unknown[]) => told.push(said) };
  withoutAnswers(sdk);
  withoutAnswers(sdk);
  sdk.debug('RegisterResource RPC finished: resource:web; err: null, resp: ,,description,canary\nmore canary');
  sdk.debug('Registering resource: t=x', 'resource', 7);
  expect(told).toEqual([
    ['RegisterResource RPC finished: resource:web; err: null, resp: not shown'],
    ['Registering resource: t=x', 'resource', 7],
  ]);
});
