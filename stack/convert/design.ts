// A design as the service exports it: variables and platforms.
// It must not know how values and components are converted.
import { nearest } from '../../provider';
import { entryOf, type MapNode } from '../reader/tree';
import { variablesOf } from './fields';
import { platformEntries } from './platforms';
import { leaveUnknown, type Conversion } from './conversion';
import { writtenMap, writtenText, type WrittenEntry } from './written';

const TOP = ['variables', 'platforms'];

/** The entries of the stack file that says what a design says. `assembly`: its name, which an export does not hold. */
export function convertDesign(work: Conversion, root: MapNode, assembly: string): readonly WrittenEntry[] {
  // An assembly has an owner, which its design does not say.
  const owner = writtenText(`\${config.${work.configuration.ofPerson('owner')}}`);
  const own = [
    { key: 'name', value: writtenText(assembly) },
    { key: 'owner', value: owner },
  ];
  for (const entry of root.entries) {
    if (TOP.includes(entry.key) || entry.key.startsWith('x-')) continue;
    if (/^imports?$/.test(entry.key))
      work.ledger.left(entry.value, 'no-counterpart', 'convert what it names too, and list both files in Pulumi.yaml');
    else leaveUnknown(work, entry, nearest(entry.key, TOP));
  }
  const variables = variablesOf(work, { plain: entryOf(root, 'variables') }, []);
  const platforms = platformEntries(work, entryOf(root, 'platforms'), false);
  return [{ key: 'assembly', value: writtenMap(own) }, variables, platforms].filter((entry) => entry !== undefined);
}
