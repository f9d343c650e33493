// Declarations of a file that nothing uses: templates and their parameters, configuration,
// environment variables.
import type { Report } from '../findings/finding';
import type { SourceFile } from '../yaml/source';
import { entriesIn, nodesIn, valueBelow, type Entry, type MapNode, type Node, type Placed } from '../yaml/tree';

/**
 * Warns about every declaration in `roots`, the files of the stack, that no file uses. What
 * included files declare can be for other stacks. `written`: the trees with what they include,
 * which have the texts without quotes and escapes.
 */
export function reportUnused(
  report: Report,
  roots: readonly MapNode[],
  { files, written }: { readonly files: readonly SourceFile[]; readonly written: readonly MapNode[] },
): void {
  const below = (part: string): readonly Entry[] => roots.flatMap((root) => entriesIn(valueBelow(root, part)));
  const warnUnused = (place: Placed, what: string): void =>
    report.warning(place, 'unused-declaration', `nothing uses ${what}`, 'leave it out');
  const templates = below('templates');
  const usedTemplates = new Set(templates.length === 0 ? [] : written.flatMap(templatesIn));
  for (const own of templates) {
    if (usedTemplates.has(own.key)) reportUnusedParameters(own, files, warnUnused);
    else warnUnused(own, `template "${own.key}"`);
  }
  const config = below('config');
  const texts = config.length === 0 ? [] : [...files.map(({ text }) => text), ...written.flatMap(textsIn)];
  const usedConfig = namesAfter(/\bconfig(?:\.|\[")([\w-]+)/g, texts);
  for (const own of config) if (!usedConfig.has(own.key)) warnUnused(own, `config "${own.key}"`);
  for (const root of roots) {
    const env = valueBelow(root, 'env');
    for (const item of env?.form === 'list' ? env.items : [])
      if (item.form === 'scalar' && files.flatMap(({ text }) => text.split(item.source).slice(1)).length < 2)
        warnUnused(item, `the environment variable "${item.source}"`);
  }
}

/** The first or second group of each match of a pattern, in all texts. */
const namesAfter = (word: RegExp, texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(word)].map(([, plain, quoted]) => plain ?? quoted ?? '')));

function reportUnusedParameters(
  template: Entry,
  files: readonly SourceFile[],
  warnUnused: (place: Placed, what: string) => void,
): void {
  const { at } = template.value;
  const text = files.find(({ name }) => name === at.file)?.text.slice(at.start.offset, at.end.offset) ?? '';
  // What an alias or an included file brings into the body is written elsewhere.
  if (/\binclude\b|[*][A-Za-z]/.test(text)) return;
  const word = /\bparam(?:\.([\w-]+)|\["([^"\\]*)"\])/g;
  const used = namesAfter(word, [text, ...textsIn(template.value)]);
  for (const own of entriesIn(valueBelow(template.value, 'parameters')))
    if (!used.has(own.key)) warnUnused(own, `parameter "${own.key}" of template "${template.key}"`);
}

/** Keys and single values, as they count. */
const textsIn = (node: Node): readonly string[] =>
  [...nodesIn(node)].flatMap((inner) =>
    inner.form === 'scalar' ? [inner.source] : entriesIn(inner).map(({ key }) => key),
  );

/** The values of `use`, at any depth. */
const templatesIn = (node: Node): readonly string[] =>
  [...nodesIn(node)].flatMap((inner) => {
    const use = valueBelow(inner, 'use');
    return use?.form === 'scalar' ? [use.source] : [];
  });
