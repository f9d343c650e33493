// The files that are generated from the catalogue are what a fresh run makes, byte for byte, and lead a reader somewhere.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { classMetadata, knownPacks, registeredClass } from '../../api/contract';
import { loadCatalogue, templates } from '../../service';
import { runCommand } from '../../test/run-command';
import { CONVERSION_CODES, EXPLANATIONS } from '../../stack';
import { explainCommand } from '../commands/files/explain';
import { generatedFromCatalogue, stalePages } from './main';

const ROOT = join(__dirname, '..', '..');
const files = generatedFromCatalogue();
const pages = [...files].filter(([path]) => path.endsWith('.md'));

test.each([...files])('%s is up to date: run npm run generate', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});

test('no page of a pack that no longer exists is left', () => expect(stalePages(ROOT, files)).toEqual([]));

test('the contract knows every pack, and every template as the service has it', () => {
  const served = loadCatalogue()
    .packs()
    .map((pack) => ({
      source: pack.source,
      name: pack.name,
      version: pack.version,
      description: pack.description,
      templates: Object.fromEntries(
        pack.templates.map(({ name, class: className, constraint, modes, defaults }) => [
          name,
          {
            class: className,
            constraint,
            design: modes.includes('design'),
            scaled: pack.edges.redundant.some(({ to, flex }) => flex && to === name),
            needs: Object.entries(classMetadata(registeredClass('catalog', className))?.attributes ?? {}).flatMap(
              ([attribute, rule]) => (rule.required && !rule.default && !defaults[attribute] ? [attribute] : []),
            ),
          },
        ]),
      ),
    }));
  expect(knownPacks.map((pack) => ({ ...pack, templates: { ...pack.templates } }))).toEqual(served);
});

test('every template of every pack is on the page of its pack', () => {
  for (const pack of loadCatalogue().packs()) {
    const page = files.get(`docs/reference/packs/${pack.name}.md`) ?? '';
    for (const { name } of templates(pack, 'design')) expect(page).toContain(`| \`${name}\` |`);
  }
});

test('links of pages lead to pages and sections that exist', () => {
  const links = pages.flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)].map(([, target = '', section]) => ({
      page: join(dirname(path), target),
      section,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  for (const { page, section } of links) {
    const text = files.get(page) ?? (existsSync(join(ROOT, page)) ? readFileSync(join(ROOT, page), 'utf8') : undefined);
    expect([page, typeof text]).toEqual([page, 'string']);
    if (section !== undefined) expect((text ?? '').toLowerCase()).toMatch(new RegExp(`^###? ${section}$`, 'm'));
  }
});

test('each code has a section, with what explain prints', async () => {
  const [, ...sections] = (files.get('docs/findings.md') ?? '').split(/^### /m);
  const codes = EXPLANATIONS.flatMap(({ explanations }) => explanations);
  expect(sections).toHaveLength(codes.length + CONVERSION_CODES.length);
  for (const { id, code } of codes) {
    const { stdout } = await runCommand(explainCommand, {}, id);
    const explained = stdout.slice(stdout.indexOf('Wrong:'), stdout.indexOf('In the reference:'));
    const section = sections.find((each) => each.startsWith(`${id}\n\n\`${code}\`: `)) ?? '';
    const [, written = ''] = /^(Wrong:[^]*?```\n[^]*?)(?=\n## |$(?![^]))/m.exec(section) ?? [];
    // On a terminal, the number of findings is below them.
    expect(
      explained
        .replaceAll(/^ {2}/gm, '')
        .replace(/^\d+ (error|warning)s?\n/m, '')
        .trim(),
    ).toBe(written.replaceAll(/^```.*\n/gm, '').trim());
  }
});

test('every row of a table has as many cells as its head', () => {
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  for (const [path, text] of pages.filter(([each]) => each !== 'docs/findings.md')) {
    const tables = text.split('\n\n').filter((block) => block.startsWith('|'));
    expect([path, tables.length > 0]).toEqual([path, true]);
    for (const block of tables) {
      const lines = block.trimEnd().split('\n');
      expect(lines.filter((line) => cells(line) !== cells(lines[0] ?? ''))).toEqual([]);
    }
  }
});
