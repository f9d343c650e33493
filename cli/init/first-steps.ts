// What a person runs first in a project that was just written, so that Pulumi's CLI finds what the project needs.
// It must not know what the files contain.
import { isHostCached } from '../setup/plugins';

/** The commands for these written files. A machine needs the language host once. */
export const firstSteps = (written: readonly string[]): readonly string[] => [
  ...(written.includes('package.json') ? ['npm install'] : []),
  ...(written.includes('Pulumi.yaml') && !isHostCached() ? ['npx pulumi-oneops setup'] : []),
];
