// What a broken policy comes to, next to a start that was read or not.
import { verifiedOutcome } from './verify';

const POLICY = { of: 'policy', address: 'web', message: 'it is disabled' } as const;
const STATE = { of: 'state', address: 'web', message: 'it is gone' } as const;
const UNREAD = { kind: 'Platform', address: 'web', reason: 'the service answered 500' };

test.each([
  { title: 'all was read', unread: [], outcome: 'refused' },
  { title: 'something could not be read', unread: [UNREAD], outcome: 'incomplete' },
  { title: 'the token was refused', unread: [UNREAD, { ...UNREAD, authentication: true }], outcome: 'authentication' },
])('a broken policy, and $title: $outcome', ({ unread, outcome }) => {
  expect(verifiedOutcome([POLICY], unread)).toBe(outcome);
  expect(verifiedOutcome([POLICY, STATE], unread)).toBe('stale');
});
