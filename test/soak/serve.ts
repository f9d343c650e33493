// A service in a separate process, to be killed: `serve.ts FILE START SPEED` prints its address once it listens.
import { createService, listen } from '../../service';
import { ADMIN_TOKEN } from '../service-caller';

async function main(words: readonly string[]): Promise<void> {
  const [database = '', start, speed] = words;
  const epoch = Number(start);
  // Counts from the test's start, not the process's: time continues over a restart, and what was due stays due.
  const clock = { now: () => Math.floor(epoch + (Date.now() - epoch) * Number(speed)) };
  const service = createService({ database, clock, users: [{ name: 'admin', token: ADMIN_TOKEN }] });
  const { url } = await listen(service, { port: 0 });
  process.stdout.write(`${url}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
