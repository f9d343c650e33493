// The reference pages: of each kind, of the functions, and of the functions in values.
import { dynamicType, pluginType, scopesOf, snakeCase, type Kind } from '../../provider';
import { settledNames } from '../../provider/kinds/settled';
import { kinds, placesInFile } from '../../provider/kinds';
import type { FileFunction } from '../../stack';
import { codeBlock, codeText, emit, page, tableLines, words } from './emit';
import { exampleId, exampleProgram, exampleStackFile, idPattern } from './examples';
import {
  allFunctions,
  callName,
  fileFunctions,
  membersOf,
  resourceOf,
  type FunctionText,
  type Member,
  type Property,
} from './model';

const FOLDER = 'docs/reference/kinds';

/** When a write takes effect, by the stage of the kind. */
const EFFECT = {
  design: 'with the commit of the design',
  environment: 'with the deployment of the environment',
  none: 'immediately',
} as const satisfies { readonly [stage in Kind['stage']]: string };

/** Path and text of each page: the index, and one page for each kind. */
export const kindPages = (): ReadonlyMap<string, string> =>
  new Map([
    [`${FOLDER}/README.md`, indexPage()],
    ...kinds.map((of) => [`${FOLDER}/${fileOf(of.token)}`, kindPage(of)] as const),
  ]);

/** `CloudConfiguration` → `cloud-configuration.md`. */
const fileOf = (token: string): string => `${snakeCase(token).slice(1).replaceAll('_', '-')}.md`;

const linkTo = (token: string): string => `[${token}](${fileOf(token)})`;

const parentOf = ({ within }: Kind): string => (within === undefined ? 'organization' : linkTo(within.token));

function indexPage(): string {
  return page([
    '# Kinds of resources',
    '',
    'Each page lists the arguments and outputs of one kind, its ids, and an example. The names are those of programs; a stack file writes them in',
    '`snake_case`: `execCmd` is `exec_cmd` there. [Functions](../functions.md) has the same for functions, and [packs](../packs/README.md) lists the attributes of components.',
    '',
    ...tableLines(
      ['Kind', 'Belongs to', 'In a stack file', 'What it is'],
      kinds.map((of) => [
        linkTo(of.token),
        scopesOf(of).map(parentOf).join(', '),
        placesInFile(of).map(codeText).join(', ') || 'no',
        of.description,
      ]),
    ),
    '',
    'A `*` stands for a name. A table leaves out the columns that are empty in all of its rows.',
  ]);
}

function kindPage(of: Kind): string {
  const resource = resourceOf(of);
  const scopes = scopesOf(of);
  const isArgument = ({ name }: Property): boolean => resource.args.some((argument) => argument.name === name);
  return page([
    `# ${of.token}`,
    '',
    of.description,
    '',
    ...tableLines(
      ['Belongs to', 'Id', 'Example of an id', 'A change takes effect', 'Deleted along with its parent'],
      scopes.map((scope) => [
        parentOf(scope),
        codeText(idPattern(scope)),
        codeText(exampleId(scope)),
        EFFECT[scope.stage],
        scope.within === undefined ? '' : scope.cascades ? 'yes' : 'no',
      ]),
    ),
    '',
    `Type: ${codeText(dynamicType(of.token))}, in [the resource plugin](../../plugin.md) ${codeText(pluginType(of.token))}.`,
    `To import a record: ${codeText(`pulumi-oneops import-file ${of.token}:${exampleId(of)}`)}, as [Importing](../../importing.md) describes.`,
    '',
    '## Arguments',
    '',
    ...tableLines(
      ['Argument', 'Type', 'Required', 'Default', 'Secret', 'A change replaces', 'What it is'],
      resource.args.map((property) => [
        codeText(property.name),
        typeText(property),
        yes(property.required),
        property.base === undefined ? '' : codeText(property.base),
        yes(property.secret),
        yes(property.replaces),
        argumentText(of, property),
      ]),
    ),
    ...resource.args.flatMap(entriesSection),
    '',
    '## Outputs',
    '',
    'Every argument is an output too. Besides them:',
    '',
    ...tableLines(
      ['Output', 'Type', 'What it is'],
      resource.outputs
        .filter((output) => !isArgument(output))
        .map((output) => [codeText(output.name), typeText(output), output.text]),
    ),
    ...fileSection(of),
    '',
    '## In TypeScript',
    '',
    ...codeBlock('ts', exampleProgram(of)),
  ]);
}

function argumentText(of: Kind, { name, text }: Property): string {
  const [nearest, ...others] = of.inherits?.[name] ?? [];
  return [
    text,
    ...(name === 'name' && of.nameRule ? [`It is ${of.nameRule.says}.`] : []),
    ...(settledNames(of).includes(name)
      ? ['The SDK and the stack file fill it in from the other declared resources.']
      : []),
    ...(nearest === undefined
      ? []
      : [
          `Without a value, that of the ${[`${linkTo(nearest)} is used`, ...others.map(linkTo)].join(', or else that of the ')}.`,
        ]),
  ].join(' ');
}

function entriesSection(property: Property): readonly string[] {
  const members = membersOf(property);
  if (members.length === 0) return [];
  return [
    '',
    `### Entries of ${property.name}`,
    '',
    ...tableLines(
      ['Member', 'Type', 'Default', 'What it is'],
      members.map(({ name, description, shape, base }) => [
        codeText(name),
        inWords(shape),
        base === '' ? '' : codeText(base),
        description,
      ]),
    ),
  ];
}

function typeText({ reference, shape }: Property): string {
  if (reference === undefined) return inWords(shape);
  return shape.type === 'list' ? `list of ${linkTo(reference)} or names` : `${linkTo(reference)} or its name`;
}

function fileSection(of: Kind): readonly string[] {
  const { inFile } = of;
  if (inFile === undefined)
    return ['', '## In a stack file', '', `Not in a file: [a program](../../programs.md) declares it.`];
  const apart = (inFile.apart ?? []).map((name) => codeText(snakeCase(name)));
  const places = placesInFile(of).map(codeText).join(', ');
  const example = exampleStackFile(of);
  return [
    '',
    '## In a stack file',
    '',
    `Declared at ${places}${places.includes('*') ? ', where a `*` stands for a name' : ''}. [The YAML file](../../yaml.md) describes the form.`,
    ...Object.entries(inFile.aliases ?? {}).map(
      ([key, name]) => `The key ${codeText(key)} means ${codeText(snakeCase(name))}.`,
    ),
    ...(apart.length === 0 ? [] : [`Without a separate key, because the file's form gives them: ${apart.join(', ')}.`]),
    ...(example === undefined ? [] : ['', ...codeBlock('yaml', example)]),
  ];
}

export function functionsPage(): string {
  const { functions, records } = allFunctions();
  return page([
    '# Reference of the functions',
    '',
    '[Functions](../functions.md) describes how to call them. The names are those of programs; a stack file writes them in `snake_case`.',
    'In TypeScript, each function has a second form whose arguments and result are outputs: `getCloudOutput` next to `getCloud`.',
    ...functions.flatMap(functionSection),
    '',
    '## Records',
    '',
    'What results contain.',
    ...records.flatMap(({ name, description, members }) => [
      '',
      `### ${name}`,
      '',
      description,
      '',
      ...resultTable(members),
    ]),
  ]);
}

const functionSection = ({ token, description, args, results }: FunctionText): readonly string[] => [
  '',
  `## ${token}`,
  '',
  description,
  '',
  ...(args.length === 0 ? ['It has no arguments.'] : argumentTable(args)),
  '',
  ...resultTable(results),
];

const argumentTable = (args: readonly Member[]): readonly string[] =>
  tableLines(
    ['Argument', 'Type', 'Required', 'What it is'],
    args.map(({ name, description, shape, required }) => [codeText(name), inWords(shape), yes(required), description]),
  );

const resultTable = (results: readonly Member[]): readonly string[] =>
  tableLines(
    ['Result', 'Type', 'May be missing', 'Secret', 'What it is'],
    results.map(({ name, description, shape, required, secret }) => [
      codeText(name),
      inWords(shape),
      yes(!required),
      yes(secret),
      description,
    ]),
  );

export const valuesPage = (): string =>
  page([
    '# Functions in values',
    '',
    'A map with the single key `fn::NAME` is replaced by the result of that function. It is allowed wherever a value is allowed, also inside the argument of another function.',
    'If a part of the argument is a secret, the result is a secret. If a part is known only in a run, the result is known only then.',
    '',
    ...tableLines(
      ['Function', 'Argument', 'Result', 'Example'],
      fileFunctions.map(([name, of]) => [codeText(callName(name)), of.argument, of.result, exampleText(name, of)]),
    ),
  ]);

const exampleText = (name: string, { example: [argument, result] }: FileFunction): string =>
  `\`fn::${name}: ${argument}\` is \`${result}\``;

const inWords = (shape: Parameters<typeof emit>[0]): string => emit(shape, words);

/** `yes` or nothing, for a cell. */
const yes = (is: boolean): string => (is ? 'yes' : '');
