// References of the service in the texts of a source, `$OO_LOCAL{X}` and `$OO_GLOBAL{X}`: those that are written wrong, or that nothing declares.
// It must not know what a text is used for.
import { nearest } from '../../provider';
import { rangesOf } from '../reader/source';
import { entryOf, type MapNode, type Node, type Placed } from '../reader/tree';
import { leavesOf } from './ledger';
import type { Conversion } from './conversion';

/** Reports references of a source. Each name is reported once for each platform, since a pack may declare it. */
export function reportReferences(work: Conversion, root: MapNode): void {
  const globals = namesBelow(entryOf(root, 'variables')?.value, entryOf(root, 'encrypted_variables')?.value);
  const platforms = entryOf(root, 'platforms')?.value;
  const seen = new Set<string>();
  const missing: (Placed & { readonly name: string })[] = [];
  const look = (node: Node, locals: readonly string[] | undefined, owner: string): void => {
    for (const found of referencesIn(work, node)) {
      const { written, scope, name, at } = found;
      const place = { path: node.path, at };
      if (written.startsWith('$$')) {
        const message = `"${written}" has a dollar sign too many: its value begins with a "$"`;
        work.report.warning(place, 'doubled-dollar', message, `write "${written.slice(1)}"`);
      }
      const known = scope === 'GLOBAL' ? globals : scope === 'LOCAL' ? locals : undefined;
      const key = `${scope === 'GLOBAL' ? '' : owner} ${scope} ${name}`;
      if (known === undefined || known.includes(name) || seen.has(key)) continue;
      seen.add(key);
      if (scope === 'GLOBAL' && known.length === 0) {
        missing.push({ ...place, name });
        continue;
      }
      const near = nearest(name, known) ?? known.find((each) => name.endsWith(each));
      const whose = scope === 'GLOBAL' ? 'the assembly' : `platform ${owner}`;
      work.report.warning(
        place,
        'undeclared-variable',
        `the file declares no variable "${name}" of ${whose}`,
        near === undefined
          ? `declare it under variables${scope === 'LOCAL' ? ', unless its pack brings it' : ''}`
          : `did you mean "${near}"?`,
      );
    }
  };
  for (const entry of root.entries) {
    if (entry.key !== 'platforms') look(entry.value, undefined, '');
    else if (platforms?.form === 'map')
      for (const own of platforms.entries) {
        const body = own.value.form === 'map' ? own.value : undefined;
        const locals = namesBelow(entryOf(body, 'variables')?.value, entryOf(body, 'encrypted_variables')?.value);
        look(own.value, locals, own.key);
      }
  }
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ name }) => name).join(', ');
  const hint = `declare them under variables at the top: ${names}`;
  const count = missing.length === 1 ? 'one' : String(missing.length);
  work.report.warning(
    first,
    'undeclared-variable',
    `the file declares no variable of the assembly, but refers to ${count}`,
    hint,
  );
}

const namesBelow = (...maps: readonly (Node | undefined)[]): readonly string[] =>
  maps.flatMap((node) => (node?.form === 'map' ? node.entries.map(({ key }) => key) : []));

interface FoundReference {
  readonly written: string;
  readonly scope: string;
  readonly name: string;
  readonly at: Node['at'];
}

function referencesIn(work: Conversion, node: Node): readonly FoundReference[] {
  const range = rangesOf(work.file);
  return leavesOf(node).flatMap((leaf) =>
    leaf.form !== 'scalar'
      ? []
      : [...leaf.raw.matchAll(/\$?\$OO_(LOCAL|GLOBAL|CLOUD)\{([^{}\n]*)\}/g)].map((match) => {
          const start = leaf.at.start.offset + match.index;
          const [written, scope = '', name = ''] = match;
          return { written, scope, name, at: range(start, start + written.length) };
        }),
  );
}
