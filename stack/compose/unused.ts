// What a file declares for its own use and nothing uses: templates and their parameters, configuration, environment variables.
// It must not know what is made of them. Reads the texts: what conditions and overlays leave out of one stack is used in another.
import type { Report } from '../findings/finding';
import type { SourceFile } from '../reader/source';
import { entryOf, type Entry, type MapNode, type Placed } from '../reader/tree';

/** Warns about every declaration in `roots`, the files of the stack, that no file uses. What included files declare can be for other stacks. */
export function tellUnused(report: Report, roots: readonly MapNode[], files: readonly SourceFile[]): void {
  const texts = files.map(({ text }) => text);
  const below = (part: string): readonly Entry[] => roots.flatMap((root) => entriesBelow(root, part));
  const tell = (place: Placed, what: string): void =>
    report.warning(place, 'unused-declaration', `nothing uses ${what}`, 'leave it out');
  const used = (word: RegExp): ReadonlySet<string> =>
    new Set(texts.flatMap((text) => [...text.matchAll(word)].map(([, name = '']) => name)));
  const templates = used(/\buse['"]?\s*:\s*['"]?([\w-]+)/g);
  const config = used(/\bconfig(?:\.|\[")([\w-]+)/g);
  for (const own of below('templates')) {
    if (templates.has(own.key)) tellUnusedParameters(own, files, tell);
    else tell(own, `template "${own.key}"`);
  }
  for (const own of below('config')) if (!config.has(own.key)) tell(own, `config "${own.key}"`);
  for (const root of roots) {
    const env = entryOf(root, 'env')?.value;
    for (const item of env?.form === 'list' ? env.items : [])
      if (item.form === 'scalar' && occurrences(texts, item.source) < 2)
        tell(item, `the environment variable "${item.source}"`);
  }
}

function tellUnusedParameters(
  template: Entry,
  files: readonly SourceFile[],
  tell: (place: Placed, what: string) => void,
): void {
  const { at } = template.value;
  const text = files.find(({ name }) => name === at.file)?.text.slice(at.start.offset, at.end.offset) ?? '';
  // What an alias or an included file brings into the body is written elsewhere.
  if (/\binclude\b|[*][A-Za-z]/.test(text)) return;
  const parameters = template.value.form === 'map' ? entriesBelow(template.value, 'parameters') : [];
  for (const own of parameters)
    if (!new RegExp(`\\bparam(?:\\.|\\[")${own.key}(?![\\w-])`).test(text))
      tell(own, `parameter "${own.key}" of template "${template.key}"`);
}

function entriesBelow(map: MapNode, key: string): readonly Entry[] {
  const value = entryOf(map, key)?.value;
  return value?.form === 'map' ? value.entries : [];
}

const occurrences = (texts: readonly string[], word: string): number =>
  texts.reduce((count, text) => count + text.split(word).length - 1, 0);
