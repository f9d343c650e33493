// Packs as text for a terminal.
// It must not know where descriptions come from.
import type { AttributeDescription, PackDescription, TemplateDescription } from './describe';

/** All packs in short: one line each. */
export function listText(packs: readonly PackDescription[]): string {
  const rows = packs.map((pack) => [identity(pack), pack.category, pack.description]);
  return [...columns(rows), '', 'pulumi-oneops packs NAME shows the templates of a pack and their attributes.'].join(
    '\n',
  );
}

/** A pack in full: its templates, then the attributes of each. */
export function packText(pack: PackDescription): string {
  const designed = pack.templates.filter((template) => template.modes.includes('design'));
  const others = pack.templates.filter((template) => !template.modes.includes('design'));
  return [
    `${identity(pack)}: ${pack.description}`,
    '',
    'templates of the design:',
    ...columns(designed.map(templateRow)).map(indent),
    ...(others.length === 0 ? [] : ['', 'made in environments only:', ...columns(others.map(templateRow)).map(indent)]),
    ...designed.flatMap((template) => ['', ...templateText(template)]),
  ].join('\n');
}

const identity = ({ source, name, version }: PackDescription): string => `${source}/${name}:${version}`;

const templateRow = ({ name, class: className, constraint, description }: TemplateDescription): readonly string[] => [
  name,
  constraint,
  className,
  description,
];

function templateText({ name, class: className, attributes }: TemplateDescription): readonly string[] {
  return [`${name} (${className})`, ...columns(attributes.map(attributeRow)).map(indent)];
}

const attributeRow = (attribute: AttributeDescription): readonly string[] => [
  attribute.name,
  [attribute.type, ...(attribute.required ? ['required'] : []), ...(attribute.secret ? ['secret'] : [])].join(', '),
  attribute.default === '' ? '' : `= ${shortened(attribute.default)}`,
  attribute.values === undefined ? attribute.description : `${attribute.description}; ${attribute.values}`,
];

/** How much of a default is shown, in characters. */
const SHOWN = 40;

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);

const indent = (line: string): string => `  ${line}`;

/** Rows as lines whose cells are below each other; the last cell is not padded. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
