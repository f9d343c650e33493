// What is a fault and what is not: every mistake is named with its place.
import { readFaults } from './faults';

const findingsOf = (faults: unknown): string => {
  try {
    readFaults(JSON.stringify(faults), 'faults.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

test('each effect is read as written', () => {
  const faults = [
    { effect: 'delay', ms: 2000, route: 'clouds.list' },
    { effect: 'status', status: 503, body: { errors: ['down'] }, headers: { 'Retry-After': '3' }, method: 'GET' },
    { effect: 'status', status: 503 },
    { effect: 'html', status: 502, applied: true },
    { effect: 'rate-limit', seconds: 2, times: 3 },
    { effect: 'drop', applied: true, route: 'environments.commit', nth: 2 },
    { effect: 'truncate', bytes: 10, record: 'shop/web' },
    { effect: 'drip', ms: 100, bytes: 4 },
    { effect: 'fail-deployment', record: 'web/compute@west', message: 'no capacity', times: 1 },
  ];
  expect(readFaults(JSON.stringify({ faults }), 'x')).toEqual(faults);
});

test.each([
  [[], 'faults.json: Invalid input'],
  [{}, 'faults.json: faults: '],
  [{ faults: {} }, 'faults.json: faults: '],
  [{ faults: [], more: 1 }, 'faults.json: Unrecognized key: "more"'],
  [{ faults: [{}] }, 'faults.json: faults[0].effect: '],
  [{ faults: [{ effect: 'explode' }] }, 'faults.json: faults[0].effect: '],
  [{ faults: [{ effect: 'delay' }] }, 'faults.json: faults[0].ms: '],
  [{ faults: [{ effect: 'delay', ms: -1 }] }, 'faults.json: faults[0].ms: '],
  [{ faults: [{ effect: 'delay', ms: 1, seconds: 1 }] }, 'faults.json: faults[0]: Unrecognized key: "seconds"'],
  [{ faults: [{ effect: 'drop', route: 'clouds.lst' }] }, 'faults[0].route: no route is called clouds.lst'],
  [{ faults: [{ effect: 'drop', method: 'get' }] }, 'faults.json: faults[0].method: '],
  [{ faults: [{ effect: 'drop', nth: 0 }] }, 'faults.json: faults[0].nth: '],
  [{ faults: [{ effect: 'status', status: 99 }] }, 'faults.json: faults[0].status: '],
  [{ faults: [{ effect: 'status', status: 500, headers: { a: 'x\r\ny: z' } }] }, 'faults.json: faults[0].headers.a: '],
  [{ faults: [{ effect: 'fail-deployment', message: 'no' }] }, 'faults.json: faults[0].record: '],
])('%j is refused with the place of the mistake', (faults, says) => {
  expect(findingsOf(faults)).toContain(says);
});

test('all mistakes are reported together, and text that is no JSON too', () => {
  const message = findingsOf({ faults: [{ effect: 'delay' }, { effect: 'drop' }, { effect: 'truncate' }] });
  expect(message.split('\n')).toHaveLength(3);
  expect(() => readFaults('{"faults": [', 'faults.json')).toThrow(/faults\.json: not JSON: /);
});
