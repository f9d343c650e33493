// The files of a stack as one tree without words of composition: what the rest of the reader binds. The order of the steps is here.
import { isTypo, nearest } from '../../provider';
import type { Report } from '../findings/finding';
import type { MeantKeys } from '../reader/meant-keys';
import type { SourceFile } from '../reader/source';
import { entryOf, isNull, type Entry, type MapNode } from '../reader/tree';
import { newComposition, refuse, type Choices, type Composition, type SwitchedOff } from './composition';
import { expand } from './expand';
import { withIncluded } from './include';
import { joinMaps, without } from './layers';
import { mayCompose, TOP_WORDS } from './position';
import { substitute } from './substitute';
import { readTemplates } from './template';

/** Files to compose, and what is known of the world. */
interface Sources {
  readonly files: readonly SourceFile[];
  /** The root of each file. */
  readonly roots: readonly MapNode[];
  readonly report: Report;
  readonly choices?: Choices;
  readonly secretConfig?: ReadonlySet<string>;
  /** Keys of included files that are read as other ones. */
  readonly meant?: MeantKeys;
  /** Several files of equal rank as one tree. */
  readonly join: (roots: readonly MapNode[]) => MapNode;
}

/** The composed tree, and the files that were included. */
interface Composed {
  readonly root: MapNode;
  /** The trees of the files with what they include, and nothing else carried out. */
  readonly written: readonly MapNode[];
  readonly files: readonly SourceFile[];
  readonly off: readonly SwitchedOff[];
  /** Parts of the tree are missing because of findings: nothing is concluded from it. */
  readonly incomplete: boolean;
}

/** Composes a stack. Files without a word of composition come out as they are. */
export function compose({ files, roots, report, choices, secretConfig, meant, join }: Sources): Composed {
  const composition = newComposition(report, choices, secretConfig, meant);
  const { files: included, off } = composition;
  if (!files.some(({ text }) => mayCompose(text)))
    return { root: join(roots), written: roots, files: included, off, incomplete: false };
  const whole = roots.map((root, index) => withIncluded(composition, root, 'top', [files[index]?.name ?? '']));
  const part = (name: string): readonly Entry[] => whole.flatMap((root) => entryOf(root, name) ?? []);
  const plainRoot = join(whole.map((root) => without(root, TOP_WORDS)));
  const overlay = overlayOf(composition, plainRoot, part('overlays'));
  const templates = readTemplates(composition, mapIn(composition, part('templates'))?.entries ?? []);
  const root = expand(composition, overlay ? [plainRoot, overlay] : [plainRoot], templates);
  // An overlay can change `when: false`.
  if (!composition.incomplete && part('overlays').length === 0) reportConstant(composition);
  return { root, written: whole, files: included, off, incomplete: composition.incomplete };
}

/** The maps of several files under one key as one. */
function mapIn(composition: Composition, parts: readonly Entry[]): MapNode | undefined {
  const maps = parts.flatMap(({ key, value }) => {
    if (value.form === 'map') return [value];
    if (!isNull(value) && value.form !== 'failed')
      refuse(composition, value, { code: 'wrong-type', message: `"${key}" must be a map by name` });
    return [];
  });
  const [first, ...others] = maps;
  return first && others.reduce((all, map) => joinMaps(composition.report, all, map), first);
}

/**
 * Warns of an overlay whose name is that of a stack with a typo: no stack uses it. Any other name can be chosen in another
 * way. A chosen stack without settings may be the misspelt one.
 */
function reportNoStack(
  report: Report,
  { key, ...place }: Entry,
  { stacks, chosen }: { readonly stacks: readonly string[]; readonly chosen: string | undefined },
): void {
  if (stacks.includes(key) || key === chosen) return;
  const isNear = (stack: string): boolean => isTypo(key, stack) && stack.replace(/\D/g, '') === key.replace(/\D/g, '');
  const near = stacks.find(isNear);
  if (near !== undefined)
    report.warning(place, 'overlay-without-stack', `there is no stack "${key}"`, `did you mean "${near}"?`);
  else if (chosen !== undefined && !stacks.includes(chosen) && isNear(chosen))
    report.warning(
      place,
      'overlay-without-stack',
      `stack "${chosen}" has neither settings nor an overlay, and so does not get this one`,
      `did you mean stack "${key}"?`,
    );
}

/** The chosen overlay, marked as one; undefined when there is none. */
function overlayOf(composition: Composition, root: MapNode, parts: readonly Entry[]): MapNode | undefined {
  const { choices, report } = composition;
  const overlays = mapIn(composition, parts);
  const name = choices.overlay ?? choices.stack?.split('/').at(-1);
  const chosen = name === undefined ? undefined : entryOf(overlays, name);
  if (choices.overlay !== undefined && chosen === undefined) {
    const known = overlays?.entries.map(({ key }) => key) ?? [];
    const near = nearest(choices.overlay, known);
    const hint = near ? `did you mean "${near}"?` : known.length > 0 ? `known are ${known.join(', ')}` : undefined;
    const message = `there is no overlay "${choices.overlay}"`;
    const place = parts[0] ?? { path: [], at: { ...root.at, end: root.at.start } };
    refuse(composition, place, { code: 'unknown-overlay', message, ...(hint === undefined ? {} : { hint }) });
  } else {
    const { stacks } = choices;
    if (stacks) for (const entry of overlays?.entries ?? []) reportNoStack(report, entry, { stacks, chosen: name });
  }
  if (chosen === undefined || isNull(chosen.value)) return undefined;
  if (chosen.value.form !== 'map') {
    refuse(composition, chosen.value, { code: 'wrong-type', message: 'an overlay must be a map' });
    return undefined;
  }
  const misplaced = chosen.value.entries.filter(({ key }) => TOP_WORDS.includes(key));
  for (const entry of misplaced)
    report.error(
      entry,
      'unknown-key',
      `"${entry.key}" cannot be part of an overlay`,
      'write it at the top of the file',
    );
  const via = [{ how: 'overlay' as const, name: chosen.key, at: chosen.at }];
  const over = substitute(composition, without(chosen.value, TOP_WORDS), { bindings: {}, via });
  return over.form === 'map' ? over : undefined;
}

/** Warns of conditions that depend on nothing. */
function reportConstant({ constant, off, report }: Composition): void {
  for (const { path, place } of constant) {
    const isOff = off.some((each) => each.path === path);
    const hint = isOff ? 'leave the thing out, or make the condition depend on ${config.NAME}' : 'leave it out';
    report.warning(place, 'constant-condition', `the condition is always ${isOff ? 'false' : 'true'}`, hint);
  }
}
