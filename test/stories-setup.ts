// Gives a story, a whole life of a stack on the real engine, the time it needs on a slow machine.
// A project of jest's configuration has no time limit of its own to set.
import { join } from 'node:path';

jest.setTimeout(10 * 60_000);

const compiledOnce = `--require ${JSON.stringify(join(__dirname, 'compiled-once.cjs'))}`;
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], compiledOnce].filter(Boolean).join(' ');
