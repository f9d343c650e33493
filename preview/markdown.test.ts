// Laws of the comment: no text of others can change its structure, it is never too long, and what it contains is what the plan says.
import fc from 'fast-check';
import { parsers } from 'prettier/plugins/markdown';
import { code, type Shown, words } from '../drift';
import { commentMarker, LONGEST_COMMENT, previewMarkdown } from './markdown';
import type { Plan, ResourceChange } from './plan';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const treeOf = (markdown: string): Node => parsers.markdown.parse(markdown, {} as never) as Node;

/** Types of nodes, and the tags of HTML: everything but words. */
const shapeOf = ({ type, value, children }: Node): string => {
  const tags =
    type === 'html'
      ? (value ?? '').replace(/(<pre>)[^]*?(<\/pre>)/g, '$1$2').replace(/(<summary>)[^]*?(<\/summary>)/g, '$1$2')
      : '';
  return `${type}${tags}${children === undefined ? '' : `[${children.map(shapeOf).join(' ')}]`}`;
};

const value = (text: string): Shown => ({ is: 'value', value: text });

/** A plan in which every text of another user is `text`. */
function planWith(text: string, failed = false): Plan {
  const attribute = { path: text, before: value(text), after: value(text), replaces: true };
  const change = (operation: ResourceChange['operation']): ResourceChange => ({
    operation,
    kind: text,
    address: text,
    logicalName: text,
    at: text,
    attributes: [attribute, { ...attribute, after: { is: 'secret' } }],
  });
  return {
    version: 1,
    stack: 'dev',
    project: text,
    organization: text,
    failed,
    diagnostics: [
      { severity: 'error', subject: text, message: text },
      { severity: 'warning', subject: text, message: text },
    ],
    counts: { same: 3 },
    actions: [],
    changes: (['create', 'update', 'replace', 'delete', 'import'] as const).map(change),
    commits: { [text]: [text] },
    deployments: [{ environment: text, does: 'deploys', because: [text, text] }],
    risks: [{ severity: 'high', address: text, message: text }],
    live: {
      waiting: [],
      touched: [{ environment: text, effect: 'go', instances: { [text]: [text] } }],
      costs: [{ unit: text, before: 1, after: 2, machines: 1 }],
      withoutOffering: 1,
      unpriced: [text],
      unread: [text],
      authentication: false,
    },
  };
}

const PIECES = [
  '|',
  '`',
  '```',
  '\n',
  '\r\n',
  '\n\n',
  '<!--',
  '-->',
  '</details>',
  '</summary>',
  '</code>',
  '</pre>',
  '<script>',
  '&amp;',
  '&#124;',
  '**',
  '_',
  '~~',
  '# ',
  '- ',
  '1. ',
  '> ',
  '[x](http://a)',
  '![x](y)',
  'http://evil.example',
  'www.evil.example',
  '@maria',
  '#12',
  '\\',
  '\\|',
  '\t',
  '    ',
  '---',
  '\u0000',
  '\u202e',
  '\ud800',
  '😀',
  'ä',
  '$$',
  ':tada:',
  '[^1]',
  '| --- |',
  '{% raw %}',
  '${{ secrets.X }}',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text.length <= 80 && text.trim() !== '');

test('no text changes the structure of the comment', () => {
  const shapes = [false, true].map((failed) => shapeOf(treeOf(previewMarkdown(planWith('x', failed), { title: 'x' }))));
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, failed) => {
      const markdown = previewMarkdown(planWith(text, failed), { title: text });
      expect(shapeOf(treeOf(markdown))).toBe(shapes[Number(failed)]);
      expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
      // What platforms would make a link or a mention of.
      expect(markdown.replace(commentMarker('dev'), '')).not.toMatch(/@|https?:\/\/|www\.|#\d(?!\d*;)/);
    }),
    { numRuns: 50 },
  );
}, 60_000);

test('running text calls nobody: what is shown is no name and no number of anything', () => {
  expect(words('see #12, @maria')).toBe('see &#35;&#8203;12, &#64;&#8203;maria');
});

test('a text without hidden characters is shown as it is', () => {
  const decoded = (html: string): string =>
    html.replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
      fc.pre(!/[\p{C}\p{Zl}\p{Zp}]/u.test(text));
      expect(decoded(code(text))).toBe(`<code>${text}</code>`);
    }),
  );
});

test.each([
  ['many changes', 1_500, 3],
  ['long values', 200, 5_000],
  ['one endless value', 1, 2_000_000],
])('%s: the comment stays within its length, and says what it leaves out', (_, count, length) => {
  for (const failed of [false, true]) {
    const one = planWith('|'.repeat(length), failed);
    const times = <T>(list: readonly T[]): readonly T[] => Array.from({ length: count }, () => list).flat();
    const plan: Plan = {
      ...one,
      diagnostics: times(one.diagnostics),
      changes: times(one.changes),
      deployments: times(one.deployments),
      risks: times(one.risks),
    };
    const markdown = previewMarkdown(plan, { title: '#'.repeat(100_000) });
    expect(markdown.length).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(markdown.startsWith(`${commentMarker('dev')}\n`)).toBe(true);
    expect(markdown.match(/<details>/g)?.length).toBe(markdown.match(/<\/details>/g)?.length);
    if (count > 1) expect(markdown).toMatch(/and \d+ (?:changes )?more/);
  }
});

test('the marker contains any name of a stack', () => {
  expect(commentMarker('acme/shop/dev')).toBe('<!-- pulumi-oneops preview acme/shop/dev -->');
  expect(commentMarker('a --> b')).toBe('<!-- pulumi-oneops preview a_-__b -->');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (stack) => {
      expect(commentMarker(stack)).toMatch(/^<!-- pulumi-oneops preview (?:(?!--)[\w./-])* -->$/);
    }),
  );
});

test('nothing to do says so', () => {
  const plan: Plan = { ...planWith('x'), changes: [], deployments: [], risks: [], diagnostics: [], commits: {} };
  const { live: _, ...still } = plan;
  expect(previewMarkdown(still)).toBe(
    '<!-- pulumi-oneops preview dev -->\n\n## Preview of dev\n\nNothing changes. 3 unchanged.\n\n**No environment deploys.**\n',
  );
});
