// Binds a whole stack from the trees of its files: each part, then names, then the order. All
// findings are reported together.
import { kindInFile } from '../../provider/kinds';
import { PACKAGED } from '../../provider/kinds/catalogue';
import { SECRET_WORD } from '../../provider/secrets';
import { compose } from '../compose/compose';
import { reportUnused } from '../compose/unused';
import { firstAt, newReport, type Finding } from '../findings/finding';
import { isOwnKey, SHARED, TOP_LEVEL, TOP_WORDS } from '../layout';
import { secretsOf, type OutputDeclaration, type ResourceDeclaration, type StackPlan } from '../plan';
import { outputOf, type ResourceKey } from '../values/value';
import { readYaml } from '../yaml/read';
import { sourceFile, type SourceFile } from '../yaml/source';
import {
  asMeant,
  entriesIn,
  entryOf,
  filledEntry,
  isNull,
  keyPlace,
  nodesIn,
  type Entry,
  type MapNode,
  type MeantKeys,
  type Node,
} from '../yaml/tree';
import { areComponents } from './components';
import { readConfig, reportByType } from './config';
import { bindEnvironments } from './environment';
import { declaredEnv } from './functions';
import { asIndented } from '../compose/lost-indent';
import { findNames, findResource, namesOf, reportServiceReferences, type Names } from './names';
import type { RelatedOption } from './options';
import { inOrder, type Ordered } from './order';
import { bindPlatforms, showsAll } from './platforms';
import { bindRecords, UNNAMED } from './records';
import { bindResource, namesOfDrafts, parentArgument, type Building, type DraftResource } from './resource';
import { entriesBelow, expectMap, formOf, reportUnknownKey, type BindScope, type StackEnvironment } from './scope';
import { bindValue, hideSecret } from './value';
import { bindVariables } from './variables';
import { defined } from '../../provider/values';

const platformKind = kindInFile('platforms.*');

/** The result of reading a stack: all findings, and the plan if none of them is an error. */
export interface ReadStack {
  readonly findings: readonly Finding[];
  readonly plan?: StackPlan;
  /**
   * The part of the plan that can be judged although the files have mistakes: all of it where only
   * defaults of the configuration are wrong, otherwise the configuration alone.
   */
  readonly judgeable?: StackPlan;
  /** Where each resource of the plan is written, in no particular order; there when the plan is. */
  readonly written?: readonly WrittenResource[];
  /** The texts that findings point into: the given files, then those that they include. */
  readonly files: readonly SourceFile[];
  /** The tree that was bound, with everything composed; there when the plan is. */
  readonly root?: MapNode;
  /** Facts for editors about a stack with mistakes; present when its files are valid YAML. */
  readonly trees?: StackTrees;
}

export interface StackTrees {
  /** The files with what they include, and nothing else carried out. */
  readonly written: readonly MapNode[];
  /** The composed tree; absent where a part of it is missing because of findings. */
  readonly composed?: MapNode;
}

/** A resource's place in its file, without a byte order mark. */
export type WrittenResource = Pick<DraftResource, 'key' | 'address' | 'own' | 'body' | 'entries'>;

/**
 * Reads a stack from its files, which together describe one assembly. Pure but for
 * `environment.readFile`; never throws because of a text. All findings come at once, in the order
 * of the files, except after mistakes of the grammar.
 */
export function readStack(files: readonly SourceFile[], environment: StackEnvironment): ReadStack {
  const { meant, ...stack } = readAs(files, environment, new Map());
  if (meant.size === 0) return stack;
  // Read once more as it was meant: what is not found then followed from a misspelt key.
  const others = new Set(readAs(files, environment, meant).findings.map(identityOf));
  const findings = stack.findings.filter((each) => meant.has(keyPlace(each.at)) || others.has(identityOf(each)));
  return { ...stack, findings };
}

const identityOf = ({ at, code, message }: Finding): string => JSON.stringify([keyPlace(at), code, message]);

/** Reads a stack with some of its keys as other ones. */
function readAs(
  files: readonly SourceFile[],
  environment: StackEnvironment,
  meant: MeantKeys,
): ReadStack & { readonly meant: MeantKeys } {
  const sources = files.map(({ name, text }) => sourceFile(name, text));
  const report = newReport(sources.map(({ name }) => name));
  const scope: BindScope = { ...environment, known: environment.known ?? PACKAGED, report };
  const readings = sources.map((source) => readYaml(source));
  readings.forEach(({ findings }) => report.pass(findings));
  const roots = readings.map(({ root }) =>
    root && root.form !== 'failed' ? expectMap(scope, root, 'a map', 'start with: assembly: { name: … }') : undefined,
  );
  const maps = roots.filter((root) => root !== undefined).map((root) => asIndented(report, asMeant(root, meant)));
  const [first] = maps;
  const found = () => ({ findings: report.findings(), meant: report.meant() });
  if (!first || maps.length < roots.length) return { ...found(), files: sources };
  maps.forEach((map) => hideSecretWords(scope, map));
  const composed = compose({
    ...environment,
    files: sources,
    roots: maps,
    report,
    meant,
    join: (roots) => joinFiles(scope, roots[0] ?? first, roots),
    choices: { ...environment.choices, areComponents: (group, keys) => areComponents(scope, group, keys) },
  });
  if (composed.root !== first) hideSecretWords(scope, composed.root);
  const texts = [...sources, ...composed.files];
  // Where parts are missing, what refers to them would be found wrong, too.
  if (composed.incomplete) return { ...found(), files: texts, trees: { written: composed.written } };
  const { plan, written } = bindRoot({ ...scope, off: composed.off }, composed.root);
  reportByType(report, plan);
  const trees = { written: composed.written, composed: composed.root };
  const { length: errors } = report.findings().filter(({ severity }) => severity === 'error');
  if (errors > plan.config.filter(({ hasWrongDefault }) => hasWrongDefault).length)
    return { ...found(), judgeable: { ...plan, resources: [], outputs: [] }, files: texts, trees };
  // A declaration is also unused because its name is misspelt elsewhere, which is reported there.
  reportUnused(report, maps, { files: texts, written: composed.written });
  if (errors > 0) return { ...found(), judgeable: plan, files: texts, trees };
  return { ...found(), plan, written, files: texts, root: composed.root, trees };
}

function bindRoot(
  outer: BindScope,
  root: MapNode,
): { readonly plan: StackPlan; readonly written: readonly WrittenResource[] } {
  const unknown = root.entries.filter(({ key }) => !TOP_LEVEL.includes(key) && !isOwnKey(key));
  for (const entry of unknown) reportUnknownKey(outer, entry, [...TOP_LEVEL, ...TOP_WORDS]);
  const config = readConfig(outer, root);
  const secretConfig = secretsOf({ config }, outer.secretConfig);
  const scope: BindScope = { ...outer, secretConfig, declaredEnv: declaredEnv(outer, root) };
  const clouds = bindRecords(scope, { body: root }, 'clouds.*').flatMap((cloud) => [
    cloud,
    ...bindRecords(scope, { draft: cloud, body: cloud.body }, 'clouds.*.services.*'),
  ]);
  const assembly = bindAssembly(scope, root);
  const variables = bindVariables(scope, root, assembly);
  const design = [...variables, ...bindPlatforms(scope, root, assembly)];
  const release = bindDesignRelease(scope, root, assembly, design);
  const platforms = design.filter(({ kind }) => kind === platformKind).map(({ logicalName }) => logicalName);
  // What is not declared here may be declared where the assembly is.
  const globals = !showsAll(assembly) ? undefined : namesOfDrafts(variables);
  reportServiceReferences(scope, root, globals);
  const environments = bindEnvironments(scope, root, assembly, {
    platforms,
    isWhole: assembly.args.existing !== true,
    records: design,
    clouds: clouds.map(({ logicalName }) => logicalName),
    variables: globals,
  });
  const drafts = [...clouds, assembly, ...design, release, ...environments];
  const names = namesOf(
    config.map(({ name }) => name),
    drafts,
    scope.off,
  );
  const outputs = bindOutputs(scope, root, names);
  const declared = drafts.map((draft) => declarationOf(scope, names, draft));
  const resources = inOrder(scope.report, declared).map(({ declaration }) => declaration);
  return { plan: { config, resources, outputs, hidden: scope.report.hidden() }, written: drafts };
}

/** The declaration of a draft: the names in its references found, and all that it comes after. */
function declarationOf(
  scope: BindScope,
  names: Names,
  draft: DraftResource,
): Ordered & { readonly declaration: ResourceDeclaration } {
  const { key, kind, logicalName, args, address, trigger, within, secrets, options, related, own } = draft;
  const parent = parentArgument(kind);
  const outer =
    parent === undefined || within === undefined ? address : { ...address, [parent]: outputOf(within, 'name') };
  // Checks come after the deployment that they are of, so they can name its addresses.
  const written = findNames(scope.report, names, trigger === undefined ? args : [args, trigger]).filter(
    ({ to, output }) => to !== key || output !== 'addresses',
  );
  const relations = Object.entries(related).flatMap(([relation, references]) =>
    references.flatMap((reference) => {
      const to = findResource(scope.report, names, reference);
      return to === undefined ? [] : [{ relation, to, ...(reference.place ? { place: reference.place } : {}) }];
    }),
  );
  const edges = [...draft.edges, ...written, ...relations];
  const named = (wanted: RelatedOption): readonly ResourceKey[] =>
    relations.flatMap(({ relation, to }) => (relation === wanted ? [to] : []));
  const [[placedIn], [deletedWith], replaceWith] = [named('parent'), named('deletedWith'), named('replaceWith')];
  const declaration: Building<ResourceDeclaration> = {
    key,
    kind,
    logicalName,
    names: draft.names,
    args: { ...outer, ...args },
    secrets,
    after: [...new Set(edges.map(({ to }) => to))].filter((to) => to !== key),
    options,
    related: {
      ...defined({ parent: placedIn, deletedWith }),
      ...(replaceWith.length === 0 ? {} : { replaceWith }),
    },
    at: own.at,
    places: [
      ...Object.entries(draft.entries).flatMap(([name, { at, value }]) => [
        { path: [name], key: at },
        ...entriesIn(value).map((each) => ({ path: [name, each.key], key: each.at })),
      ]),
      ...draft.attributeEntries.map((entry) => ({ path: ['attributes', entry.key], key: entry.at })),
    ],
  };
  if (trigger !== undefined) declaration.trigger = trigger;
  if (within !== undefined) declaration.within = within;
  return { key, edges, declaration };
}

function bindOutputs(scope: BindScope, root: MapNode, names: Names): readonly OutputDeclaration[] {
  return entriesBelow(scope, root, 'outputs', 'a map of outputs by name').flatMap((entry) => {
    const value = bindValue(scope, entry.value, { type: 'open' });
    if (value !== undefined) findNames(scope.report, names, value);
    return value === undefined ? [] : [{ name: entry.key, value, at: entry.at }];
  });
}

/** Whatever is under a word for secrets is shown in no finding, known key or not. */
function hideSecretWords(scope: BindScope, node: Node): void {
  for (const inner of nodesIn(node))
    for (const { key, value } of entriesIn(inner))
      if (value.form === 'scalar' && typeof value.value === 'string' && SECRET_WORD.test(key)) hideSecret(scope, value);
}

const HINT = 'assembly: { name: storefront }';

/** The Assembly resource. Its arguments are checked even without a name, which is reported. */
function bindAssembly(scope: BindScope, root: MapNode): DraftResource {
  const { report } = scope;
  const entry = entryOf(root, 'assembly');
  const body = expectMap(scope, entry?.value, 'a map', HINT);
  const name = filledEntry(body, 'name');
  const hasNoName = !name && body?.isPartial !== true && (body || isNull(entry?.value));
  if (entry && hasNoName) report.error(entry, 'required', '"name" is required', HINT);
  if (!entry && root.isPartial !== true)
    report.error({ path: [], at: { ...root.at, end: root.at.start } }, 'required', '"assembly" is required', HINT);
  if (name && (name.value.form === 'list' || name.value.form === 'map'))
    report.error(name.value, 'wrong-type', `must be text, not ${formOf(name.value)}`);
  const word = name?.value.form === 'scalar' ? name.value.source : '';
  return bindResource(scope, {
    kind: kindInFile('assembly'),
    address: { name: word === '' ? UNNAMED : word },
    own: entry ?? { path: [], at: root.at },
    body,
    structure: ['name'],
    givenEntries: { name },
  });
}

/** The DesignRelease: always there (architecture §5), after all of the design. */
function bindDesignRelease(
  scope: BindScope,
  root: MapNode,
  assembly: DraftResource,
  design: readonly DraftResource[],
): DraftResource {
  const entry: Entry | undefined = entryOf(root, 'design');
  return bindResource(scope, {
    kind: kindInFile('design'),
    within: assembly,
    address: {},
    own: entry ?? assembly.own,
    body: expectMap(scope, entry?.value, 'a map'),
    edges: design.map(({ key }) => ({ to: key })),
  });
}

/** The roots of all files as one. A name that two files declare is reported at the second. */
function joinFiles(scope: BindScope, first: MapNode, roots: readonly MapNode[]): MapNode {
  if (roots.length === 1) return first;
  return {
    ...first,
    entries: joinEntries(
      scope,
      roots.flatMap(({ entries }) => entries.filter(({ key }) => !isOwnKey(key))),
      true,
    ),
  };
}

function joinEntries(scope: BindScope, entries: readonly Entry[], areParts: boolean): readonly Entry[] {
  const joined = new Map<string, Entry>();
  for (const entry of entries) {
    const before = joined.get(entry.key);
    if (!before) {
      joined.set(entry.key, entry);
    } else if (areParts && SHARED.includes(entry.key) && before.value.form === 'map' && entry.value.form === 'map') {
      const value = {
        ...before.value,
        entries: joinEntries(scope, [...before.value.entries, ...entry.value.entries], false),
      };
      joined.set(entry.key, { ...before, value });
    } else if (areParts && entry.key === 'env' && before.value.form === 'list' && entry.value.form === 'list') {
      joined.set(entry.key, {
        ...before,
        value: { ...before.value, items: [...before.value.items, ...entry.value.items] },
      });
    } else if (!(areParts && isNull(entry.value))) {
      const message = `"${entry.key}" is declared in two files`;
      scope.report.error(entry, 'duplicate-key', message, firstAt(before.at, entry.at));
    }
  }
  return [...joined.values()];
}
