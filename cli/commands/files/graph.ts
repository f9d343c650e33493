// `pulumi-oneops graph`: what depends on what in a stack, and what runs where.
import { folded } from '../../../api/errors';
import { kindInFile } from '../../../provider/kinds';
import { STANDARD_FILE, type ResourceDeclaration, type ResourceKey, type StackPlan, type Value } from '../../../stack';
import { commandOf, knownWord } from '../../command';
import { EXIT } from '../../exit';
import { filesOr } from '../../here/project';
import { readStackHere } from '../../here/read-stack';
import { findingsText } from '../../here/terminal';
import { flag, STACK_OPTIONS, text } from '../../options';

/** The graph for people: platforms with what they depend on, environments with their clouds. */
export function graphText({ assembly, platforms, environments }: StackGraph): string {
  const width = Math.max(0, ...platforms.map(({ name }) => name.length));
  const lines = [
    `assembly ${assembly}`,
    ...platforms.flatMap(({ name, pack, dependsOn }) => [
      `  ${name.padEnd(width)}  ${pack}`,
      ...listed(`${' '.repeat(width + 4)}depends on `, dependsOn),
    ]),
    ...environments.flatMap(({ name, clouds, down }) => {
      const [first, second] = [1, 2].map((wanted) => clouds.filter(({ priority }) => priority === wanted));
      const others = clouds.filter(({ priority }) => priority !== 1 && priority !== 2);
      return [
        '',
        `environment ${name}`,
        ...listed('  primary    ', namesOf(first)),
        ...listed('  secondary  ', namesOf(second)),
        ...listed('  clouds     ', namesOf(others)),
        ...listed('  down       ', down),
      ];
    }),
  ];
  return lines.join('\n');
}

const namesOf = (clouds: StackGraph['environments'][number]['clouds'] = []): readonly string[] =>
  clouds.map(({ name }) => name);

/** Names after a heading, in lines of 80 columns, each of them whole; nothing for none. */
const listed = (heading: string, names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : folded(names.join(', '), 80 - heading.length).map((line, index) =>
        index === 0 ? heading + line : ' '.repeat(heading.length) + line,
      );

/** The graph as a flowchart of Mermaid, which code hosts draw in Markdown. */
export function graphMermaid({ assembly, platforms, environments }: StackGraph): string {
  const idOf = new Map(platforms.map(({ name }, index) => [name, `p${index}`]));
  const clouds = [...new Set(environments.flatMap((each) => each.clouds.map(({ name }) => name)))];
  const lines = [
    'flowchart LR',
    `  subgraph design[${quoted(assembly)}]`,
    ...platforms.map(({ name, pack }) => `    ${idOf.get(name) ?? ''}[${quoted(`${name}<br/>${pack}`)}]`),
    '  end',
    ...platforms.flatMap(({ name, dependsOn }) =>
      dependsOn.map((other) => `  ${idOf.get(name) ?? ''} --> ${idOf.get(other) ?? ''}`),
    ),
    ...clouds.map((name, index) => `  c${index}([${quoted(name)}])`),
    ...environments.flatMap((each, index) => [
      `  e${index}[/${quoted(each.name + (each.down.length > 0 ? `<br/>down: ${each.down.join(', ')}` : ''))}/]`,
      `  design --> e${index}`,
      ...each.clouds.map(
        ({ name, priority }) => `  e${index} ${priority === 2 ? '-.->|secondary|' : '-->'} c${clouds.indexOf(name)}`,
      ),
    ]),
  ];
  return lines.join('\n');
}

/** A label with Mermaid's own syntax as entities. Line breaks between parts are ours. */
const quoted = (text: string): string =>
  `"${text.replace(/[&"<>#]/g, (sign) => `#${sign.charCodeAt(0)};`).replaceAll('#60;br/#62;', '<br/>')}"`;

const NAMES = ['text', 'mermaid', 'json'] as const;

const FORMATS: { readonly [F in (typeof NAMES)[number]]: (graph: StackGraph) => string } = {
  text: graphText,
  mermaid: graphMermaid,
  json: (graph) => JSON.stringify(graph, null, 2),
};

export const command = commandOf({
  usage: ['graph [FILE...] [options]'],
  about: `Shows which platforms of a stack depend on which, and on which clouds each environment runs.
Sends no request. Without a FILE, reads the files that Pulumi.yaml in this folder names, or
${STANDARD_FILE}.`,
  options: {
    format: text('FORMAT', 'text (default), mermaid or json'),
    json: flag('the same as --format json'),
    ...STACK_OPTIONS,
  },
  exits: { done: 'shown' },
  run({ values, positionals }) {
    const draw = FORMATS[knownWord('--format', NAMES, values.json ? 'json' : (values.format ?? 'text'))];
    const read = readStackHere(filesOr(positionals), { ...values, catalogue: 'off' });
    if (read.plan === undefined) {
      process.stderr.write(findingsText(read));
      return EXIT.wrong;
    }
    process.stdout.write(`${draw(graphOf(read.plan))}\n`);
    return EXIT.done;
  },
});

// The graph as data, from the plan of a stack.

/** The platforms of a stack with what they depend on, and its environments with their clouds. */
interface StackGraph {
  readonly assembly: string;
  readonly platforms: readonly {
    readonly name: string;
    readonly pack: string;
    /** Platforms that it links, or that something in it refers to. */
    readonly dependsOn: readonly string[];
  }[];
  readonly environments: readonly {
    readonly name: string;
    /** Primary clouds have priority 1. What is not a plain number in the file is left out. */
    readonly clouds: readonly { readonly name: string; readonly priority?: number }[];
    /** Platforms that the file declares to be down. */
    readonly down: readonly string[];
  }[];
}

const platformKind = kindInFile('platforms.*');
const environmentKind = kindInFile('environments.*');
const environmentPlatformKind = kindInFile('environments.*.platforms.*');
const assemblyKind = kindInFile('assembly');

export function graphOf({ resources }: StackPlan): StackGraph {
  const byKey = new Map(resources.map((each) => [each.key, each]));
  const platforms = resources.filter(({ kind }) => kind === platformKind);
  const dependencies = new Map(platforms.map(({ key }) => [key, new Set<ResourceKey>()]));
  for (const { key, after } of resources) {
    const own = platformOf(key, byKey);
    for (const other of after.map((each) => platformOf(each, byKey))) {
      if (own !== undefined && other !== undefined && own !== other) dependencies.get(own)?.add(other);
    }
  }
  const names = new Map(platforms.map(({ key, logicalName }) => [key, logicalName]));
  return {
    assembly: resources.find(({ kind }) => kind === assemblyKind)?.logicalName ?? '',
    platforms: platforms.map(({ key, logicalName, args }) => ({
      name: logicalName,
      pack: `${wordOf(args['source'])}/${wordOf(args['pack'])}:${wordOf(args['version'])}`,
      dependsOn: [...(dependencies.get(key) ?? [])].map((each) => names.get(each) ?? ''),
    })),
    environments: resources
      .filter(({ kind }) => kind === environmentKind)
      .map((environment) => ({
        name: environment.logicalName,
        clouds: cloudsOf(environment),
        down: resources
          .filter(({ kind, within }) => kind === environmentPlatformKind && within === environment.key)
          .filter(({ args }) => args['enabled'] === false)
          .map(({ args }) => wordOf(args['platform'] ?? args['name'])),
      })),
  };
}

/** The platform of the design that a resource is, or is part of. */
function platformOf(key: ResourceKey, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): ResourceKey | undefined {
  for (let at = byKey.get(key); at !== undefined; at = at.within === undefined ? undefined : byKey.get(at.within))
    if (at.kind === platformKind) return at.key;
  return undefined;
}

/** A text of the file; `…` for what is known only in a run. */
const wordOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '…');

function cloudsOf({ args }: ResourceDeclaration): StackGraph['environments'][number]['clouds'] {
  const clouds = args['clouds'];
  if (typeof clouds !== 'object' || clouds === null || Array.isArray(clouds)) return [];
  return Object.entries(clouds as { readonly [name: string]: Value }).map(([name, link]) => {
    const priority = typeof link === 'object' && link !== null && 'priority' in link ? link.priority : 1;
    return { name, ...(typeof priority === 'number' ? { priority } : {}) };
  });
}
