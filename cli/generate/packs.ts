// The reference pages of the packs: Markdown made from the catalogue. Pure.
import { componentClasses, classMetadata, registeredClass, templateText } from '../../api/contract';
import { type Catalogue, templates, type Pack } from '../../service';
import { describeClass, describePack, type AttributeDescription, type PackDescription } from '../describe-packs';

/** Folder of the pages, below the repository's root. */
const FOLDER = 'docs/reference/packs';

/** Pages with path and text: an index, one for each pack, and one for attributes. */
export function packsPages(catalogue: Catalogue): ReadonlyMap<string, string> {
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

const NOTE = '<!-- Generated from the packaged catalogue by `npm run generate`: changes made here are lost. -->';

const page = (lines: readonly string[]): string => `${[NOTE, '', ...lines].join('\n')}\n`;

function indexPage(packs: readonly PackDescription[]): string {
  return page([
    '# Packs',
    '',
    'A platform is made from a version of a pack. The pack brings templates, and each component of the platform is made from one of them.',
    'These are the packs of the packaged catalogue, which the embedded service offers and which `pulumi-oneops check` and previews compare',
    'arguments with. A live service may have other packs. `pulumi-oneops packs` prints the same in a terminal.',
    '',
    ...table(
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
    ...table(
      ['Template', 'Constraint', 'Class', 'In', 'Cloud services', 'Defaults of the pack', 'What it is'],
      pack.templates.map((template) => [
        code(template.name),
        code(template.constraint),
        `[${template.class}](attributes.md#${template.class.toLowerCase()})`,
        template.modes.join(', '),
        template.services.map(code).join(', '),
        defaultsText(template.attributes.filter((attribute) => attribute.ofPack)),
        template.description,
      ]),
    ),
  ];
}

const defaultsText = (attributes: readonly AttributeDescription[]): string =>
  attributes.map(({ name, default: value }) => code(`${name}: ${value}`)).join(', ');

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
  return table(
    ['Attribute', 'Type', 'Default', 'Required', 'Values', 'What it is'],
    attributes.map((attribute) => [
      code(attribute.name),
      attribute.secret ? 'secret' : attribute.type,
      attribute.default === '' ? '' : code(attribute.default),
      attribute.required ? 'yes' : '',
      attribute.values ?? '',
      attribute.description,
    ]),
  );
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);

/** A bar would end a cell, inside of code too. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The text of `packs.json`: one line for each template, so that changes are easy to review. */
export function packsData(packs: readonly Pack[]): string {
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
