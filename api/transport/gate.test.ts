// Laws of the gate: never more than the limit inside, half after "busy", one more after a round of "fine", and nobody forgotten.
import fc from 'fast-check';
import { createGate, type PassageOutcome } from './gate';

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('whatever the outcomes, no more than the limit are inside, and all get in', async () => {
  const outcome = fc.constantFrom<PassageOutcome>('fine', 'fine', 'fine', 'busy', 'failed');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 16 }), fc.array(outcome, { maxLength: 60 }), async (most, outcomes) => {
      const gate = createGate(most);
      let inside = 0;
      const passages = outcomes.map(async (how) => {
        const leave = await gate.enter();
        inside += 1;
        // Those that were inside before a halving may still be; nobody new comes in above the limit.
        expect(inside).toBeLessThanOrEqual(most);
        expect(gate.limit()).toBeGreaterThanOrEqual(1);
        await turn();
        inside -= 1;
        leave(how);
      });
      await Promise.all(passages);
      expect(inside).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('"busy" halves once for all that were inside together, down to one', async () => {
  const gate = createGate(16);
  const together = await Promise.all(Array.from({ length: 16 }, () => gate.enter()));
  for (const leave of together) leave('busy');
  expect(gate.limit()).toBe(8);
  for (const limit of [4, 2, 1, 1]) {
    (await gate.enter())('busy');
    expect(gate.limit()).toBe(limit);
  }
});

test('who waits too long goes away, and the next one moves up', async () => {
  const gate = createGate(1);
  const leave = await gate.enter();
  const impatience = new AbortController();
  const impatient = gate.enter(impatience.signal);
  const patient = gate.enter();
  impatience.abort();
  await expect(impatient).rejects.toThrow();
  leave('fine');
  (await patient)('fine');
  await expect(gate.enter(AbortSignal.abort())).rejects.toThrow();
});
