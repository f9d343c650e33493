// Laws over random values begin with the same seed in each build. `SEED=…` chooses another one.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_126) });
