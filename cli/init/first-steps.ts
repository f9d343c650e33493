// What a person runs first in a project that was just written, so that Pulumi's CLI finds what the project needs.
import { isHostCached } from '../setup/plugins';

/** The commands for these written files. A machine needs the language host once; a program needs its packages. */
export const firstSteps = (written: readonly string[]): readonly string[] => {
  if (written.includes('package.json')) return ['npm install'];
  return written.includes('Pulumi.yaml') && !isHostCached() ? ['npx pulumi-oneops setup'] : [];
};
