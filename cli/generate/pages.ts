// What is generated from the catalogue, the codes of findings, the rules of policies and the tables
// of commands: the contract's list of packs, the reference pages, a schema, and llms.txt.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { componentClasses, classMetadata, registeredClass, templateText } from '../../api/contract';
import { type Catalogue, loadCatalogue, templates, type Pack } from '../../service';
import {
  CONVERSION_CODES,
  EXPLANATIONS,
  driftFileSchema,
  type ConversionCode,
  type Explanation,
  documentText,
} from '../../stack';
import { codeBlock, codeText, page, tableLines } from '../../sdk/generate/emit';
import { isPlanRule, ruleOf, RULE_NAMES, type Rule } from '../../policy';
import { explained } from '../commands/files/explain';
import {
  describeClass,
  describePack,
  type AttributeDescription,
  type PackDescription,
} from '../commands/records/packs';
import { describeRule } from '../commands/tool/policies';
import { helpOf } from '../command';
import { EXIT, EXIT_WORDS, type ExitName } from '../exit';
import { allCommands } from '../table';

/** Generated files of the catalogue, of findings and of policies: path and text. */
export function generatedFromCatalogue(root: string): ReadonlyMap<string, string> {
  const catalogue = loadCatalogue();
  return new Map([
    ['api/contract/catalogue/packs.json', packsData(catalogue.packs())],
    ...packsPages(catalogue),
    findingsPage(),
    policiesPage(),
    llmsText(readFileSync(join(root, 'docs', 'README.md'), 'utf8')),
    ['schemas/drift-file.schema.json', `${JSON.stringify(driftFileSchema(), null, 2)}\n`],
  ]);
}

/** Files in the folders of the reference that are generated no more. */
export function stalePages(root: string, files: ReadonlyMap<string, string>): readonly string[] {
  const pages = [...files.keys()].filter((path) => path.startsWith('docs/reference/'));
  const folders = [...new Set(pages.map((path) => dirname(path)))];
  return folders.flatMap((folder) =>
    (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
      .map((name) => `${folder}/${name}`)
      .filter((path) => !files.has(path)),
  );
}

const HEAD = [
  '# Findings',
  '',
  'Every finding of a stack file, and every line of a report of `pulumi-oneops convert`, has a code.',
  '`pulumi-oneops explain CODE` prints its section. The word after a code is the member `code` in',
  '`pulumi-oneops check --format json`, and the code itself is the member `id`. A code never changes its meaning.',
  '',
  'Each wrong example has the finding below it and no other. The file `motd.txt` is next to the examples, and the',
  'environment variable `LEVEL` is set.',
];

function findingsPage(): readonly [string, string] {
  const groups = [
    ...EXPLANATIONS.map(({ title, explanations }) => ({ title, sections: explanations.map(sectionOf) })),
    { title: 'Old files', sections: CONVERSION_CODES.map(sectionOf) },
  ];
  const lines = groups.flatMap(({ title, sections }) => ['', `## ${title}`, ...sections.flat()]);
  return ['docs/findings.md', page([...HEAD, ...lines])];
}

function sectionOf(found: Explanation | ConversionCode): readonly string[] {
  const set = Object.keys(('config' in found && found.config) || {}).map(codeText);
  return [
    // The heading of a section is its code alone, so that its anchor is the code.
    ...['', `### ${found.id}`, '', `\`${found.code}\`: ${found.meaning}`],
    ...(set.length > 0 ? ['', `In both examples, the stack sets ${set.join(', ')}.`] : []),
    ...explained(found).flatMap(({ heading, language, text }) => [
      ...(heading === undefined ? [] : ['', heading]),
      '',
      // On a terminal, the number of findings is below them.
      ...codeBlock(language, heading === undefined ? text.replace(/\n[^\n]+\n$/, '\n') : text),
    ]),
  ];
}

function policiesPage(): readonly [string, string] {
  const rules = RULE_NAMES.flatMap((name) => ruleOf(name) ?? []);
  const text = page([
    '# Rules of policies',
    '',
    'Every rule that a [policy file](../../policies.md) can choose. `pulumi-oneops policies RULE` prints the same parameters.',
    '',
    ...tableLines(
      ['Rule', 'Judges'],
      rules.map((rule) => [`[${rule.name}](#${rule.name})`, describeRule(rule).judges]),
    ),
    ...rules.flatMap(section),
  ]);
  return ['docs/reference/policies/README.md', text];
}

function section(rule: Rule): readonly string[] {
  const { demands, parameters } = describeRule(rule);
  const rows = parameters.map(({ name, description, default: standard }) => [
    codeText(name),
    description,
    standard === undefined ? '' : codeText(JSON.stringify(standard)),
  ]);
  const policy = { policies: { [rule.name]: { level: 'mandatory', ...rule.sample.parameters } } };
  return [
    '',
    `## ${rule.name}`,
    '',
    demands,
    '',
    ...(rows.length > 0 ? [...tableLines(['Parameter', 'Meaning', 'Default'], rows), ''] : []),
    ...codeBlock('yaml', documentText(policy)),
    ...(isPlanRule(rule)
      ? []
      : (['wrong', 'right'] as const).flatMap((which) => [
          '',
          which === 'wrong' ? 'Wrong:' : 'Right:',
          '',
          ...codeBlock('yaml', rule.sample[which]),
        ])),
  ];
}

/** Path and text of the page on commands: the exit codes of all of them, and the help of each. */
export async function commandsPage(): Promise<readonly [string, string]> {
  const commands = await allCommands();
  const text = page([
    '# Commands',
    '',
    'What `--help` of each command prints. `pulumi-oneops capabilities --json` prints the same for programs.',
    '',
    '## Exit codes',
    '',
    'The codes mean the same for every command. The help of a command says which it has, and what they mean there.',
    '',
    ...tableLines(
      ['Code', 'Meaning'],
      (Object.keys(EXIT) as ExitName[]).map((name) => [String(EXIT[name]), EXIT_WORDS[name]]),
    ),
    ...commands.flatMap(({ path, command }) => ['', `## ${path.join(' ')}`, '', ...codeBlock('text', helpOf(command))]),
  ]);
  return ['docs/reference/commands/README.md', text];
}

/** Path and text of `llms.txt`, the index of the documentation for programs (llmstxt.org). */
function llmsText(index: string): readonly [string, string] {
  const lines = index
    .slice(index.indexOf('## '))
    // A list entry is one line, without its number.
    .replace(/\n +(?=\S)/g, ' ')
    .replace(/^\d+\. /gm, '- ')
    .replace(/\]\(([^)]+)\)/g, (_, link: string) => `](${posix.join('docs', link)})`);
  const about =
    'A Pulumi provider and a YAML language for the OneOps API, with drift reviews, policies and an embedded service.';
  return ['llms.txt', `# pulumi-oneops\n\n> ${about}\n\n${lines}`];
}

/** Folder of the pages of packs, below the repository's root. */
const FOLDER = 'docs/reference/packs';

/** Pages with path and text: an index, one for each pack, and one for attributes. */
function packsPages(catalogue: Catalogue): ReadonlyMap<string, string> {
  const packs = catalogue.packs().map((pack) => describePack(catalogue, pack));
  const names = [...new Set(packs.map(({ name }) => name))];
  const pages = names.map(
    (name) => [`${FOLDER}/${name}.md`, packPage(packs.filter((each) => each.name === name))] as const,
  );
  return new Map([
    [`${FOLDER}/README.md`, indexPage(packs)],
    [`${FOLDER}/attributes.md`, attributesPage(catalogue)],
    ...pages,
  ]);
}

function indexPage(packs: readonly PackDescription[]): string {
  return page([
    '# Packs',
    '',
    'A platform is made from a version of a pack. The pack brings templates, and each component of the platform is made from one of them.',
    'These are the packs of the packaged catalogue, which the embedded service offers and which `pulumi-oneops check` and previews compare',
    'arguments with. A live service may have other packs. `pulumi-oneops packs` prints the same in a terminal.',
    '',
    ...tableLines(
      ['Pack', 'Version', 'Category', 'What it is'],
      packs.map((pack) => [
        `[${pack.source}/${pack.name}](${pack.name}.md)`,
        pack.version,
        pack.category,
        pack.description,
      ]),
    ),
    '',
    '[Attributes of every class](attributes.md)',
  ]);
}

function packPage(versions: readonly PackDescription[]): string {
  const [first] = versions as readonly [PackDescription];
  return page([`# ${first.source}/${first.name}`, '', `${first.description}.`, ...versions.flatMap(versionSection)]);
}

function versionSection(pack: PackDescription): readonly string[] {
  return [
    '',
    `## Version ${pack.version}`,
    '',
    `\`pack: ${pack.source}/${pack.name}:${pack.version}\`. A platform is reached by its component \`${pack.entrypoint}\`.`,
    'Components of a template whose constraint begins with 1 are made with the platform. Defaults are those that differ from the class.',
    '',
    ...tableLines(
      ['Template', 'Constraint', 'Class', 'In', 'Cloud services', 'Defaults of the pack', 'What it is'],
      pack.templates.map((template) => [
        codeText(template.name),
        codeText(template.constraint),
        `[${template.class}](attributes.md#${template.class.toLowerCase()})`,
        template.modes.join(', '),
        template.services.map(codeText).join(', '),
        defaultsText(template.attributes.filter((attribute) => attribute.ofPack)),
        template.description,
      ]),
    ),
  ];
}

const defaultsText = (attributes: readonly AttributeDescription[]): string =>
  attributes.map(({ name, default: value }) => codeText(`${name}: ${value}`)).join(', ');

function attributesPage(catalogue: Catalogue): string {
  const sections = [...componentClasses]
    .sort()
    .flatMap((name) => [
      '',
      `## ${name}`,
      '',
      `${catalogue.classMetadata(name)?.description ?? ''}.`,
      '',
      ...attributeTable(describeClass(catalogue, name)),
    ]);
  return page([
    '# Attributes of components',
    '',
    'What a component of each class may set in a design. A pack may bring other defaults: its page lists them. Secrets are kept encrypted. Lists',
    'and maps may be written as such, or as JSON text.',
    ...sections,
  ]);
}

function attributeTable(attributes: readonly AttributeDescription[]): readonly string[] {
  if (attributes.length === 0) return ['It has no attributes that a design may set.'];
  return tableLines(
    ['Attribute', 'Type', 'Default', 'Required', 'Values', 'What it is'],
    attributes.map((attribute) => [
      codeText(attribute.name),
      attribute.secret ? 'secret' : attribute.type,
      attribute.default === '' ? '' : codeText(attribute.default),
      attribute.required ? 'yes' : '',
      attribute.values ?? '',
      attribute.description,
    ]),
  );
}

/** The text of `packs.json`: one line for each template, so that changes are easy to review. */
function packsData(packs: readonly Pack[]): string {
  return `[\n${packs.map(packText).join(',\n')}\n]\n`;
}

function packText(pack: Pack): string {
  const design = new Set(templates(pack, 'design'));
  const lines = pack.templates.map((template) => {
    const scaled = pack.edges.redundant.some(({ to, flex }) => flex && to === template.name);
    const text = templateText({ ...template, design: design.has(template), scaled, needs: needsOf(template) });
    return `      ${JSON.stringify(template.name)}: ${JSON.stringify(text)}`;
  });
  const facts = (['source', 'name', 'version', 'description'] as const).map(
    (name) => `    ${JSON.stringify(name)}: ${JSON.stringify(pack[name])}`,
  );
  return `  {\n${facts.join(',\n')},\n    "templates": {\n${lines.join(',\n')}\n    }\n  }`;
}

/** The attributes that nothing gives a value. */
function needsOf({ class: className, defaults }: Pack['templates'][number]): readonly string[] {
  const { attributes = {} } = classMetadata(registeredClass('catalog', className)) ?? {};
  return Object.entries(attributes)
    .filter(([name, each]) => each.required && each.default.trim() === '' && !defaults[name])
    .map(([name]) => name);
}
