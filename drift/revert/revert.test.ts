// What a terminal shows of several environments that are deployed in turn: whose message it is, each message once.
import { reportingRow } from './revert';

test('each message is reported once, with whose it is', () => {
  const lines: string[] = [];
  const to = { tell: (message: string) => void lines.push(message) };
  for (const environment of ['acme/shop/prod', 'acme/shop/qa']) {
    const row = reportingRow(to, environment);
    row.progress('joins deployment 7, which is active');
    row.progress('joins deployment 7, which is active');
    row.notice('deployment 7 is complete');
  }
  reportingRow(to).notice('set back');
  expect(lines).toEqual([
    'acme/shop/prod: joins deployment 7, which is active',
    'acme/shop/prod: deployment 7 is complete',
    'acme/shop/qa: joins deployment 7, which is active',
    'acme/shop/qa: deployment 7 is complete',
    'set back',
  ]);
});
