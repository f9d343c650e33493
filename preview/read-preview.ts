// A plan from what `pulumi preview --json` printed, also of a preview that failed.
import { stripVTControlCharacters } from 'node:util';
import {
  isReference,
  isWithin,
  kindToken,
  memberPath as recordPath,
  parseId,
  parseUrn,
  scopeOfId,
  everyAddressName,
  secretNames,
} from '../provider';
import { kindOf, unfinishedText } from '../provider/kinds';
import { secretAttributes } from '../provider/secrets';
import { holdsUnknown, isPlainObject, parsePropertyPath, type PropertyPath, type Values } from '../provider/values';
import type { Shown } from '../drift';
import { withOwnNames } from '../provider/kinds/settled';
import {
  addressIn,
  documentStart,
  enginePlace,
  MASK,
  memberPath,
  readPreviewDocument,
  stepsOf,
  unlistedIn,
  type EngineDocument,
  type PlannedStep,
  type EngineState,
  type EngineStep,
} from './document';
import { LEFT, type Plan, type ResourceChange, type PlannedDeployment, type PlannedAttribute } from './plan';
import { risksOf } from './risks';

/** What the options of a command know better than the document. */
interface PreviewOptions {
  readonly stack?: string | undefined;
  /** Default when the document's configuration names none: that of the environment. */
  readonly organization?: string | undefined;
}

/** Longest that is shown of a text that is no preview, in characters; its end says what failed. */
const LONGEST_TEXT = 4_000;

/** Reads what `pulumi preview --json` printed. */
export function readPreview(text: string, options: PreviewOptions = {}): Plan {
  const document = readPreviewDocument(text);
  return document === undefined ? noPreview(text, options) : planOf(document, options);
}

/** Whether a successful `pulumi preview` printed the text: it ends with numbers of resources. */
export const isPreviewForPeople = (text: string): boolean => {
  const lines = plain(text);
  return (
    documentStart(text) === undefined && /^Resources:\s*\n\s+\S* ?\d+ /m.test(lines) && !/^\s*error: /m.test(lines)
  );
};

function noPreview(text: string, options: PreviewOptions): Plan {
  const said = plain(textAround(text)).trim().slice(-LONGEST_TEXT);
  const message = said === '' ? 'pulumi preview --json printed nothing' : said;
  // What the run declares, and how much more, is not known.
  const { records: _, unlisted: __, ...plan } = planOf({}, options);
  return { ...plan, failed: true, diagnostics: [{ severity: 'error', message }] };
}

export function planOf(document: EngineDocument, options: PreviewOptions): Plan {
  const urn = parseUrn(document.steps?.[0]?.urn ?? document.diagnostics?.find((each) => each.urn)?.urn ?? '');
  const organization = document.config?.['oneops:organization'] ?? options.organization ?? '';
  const steps = stepsOf(document, organization);
  const diagnostics = diagnosticsOf(document);
  const deployments = deploymentsIn(steps);
  return {
    version: 1,
    stack: options.stack ?? urn?.stack ?? '',
    project: urn?.project ?? '',
    organization,
    failed: diagnostics.some(({ severity }) => severity === 'error'),
    diagnostics,
    counts: document.changeSummary ?? {},
    actions: steps.filter(isAction).map(namedStep),
    changes: steps.flatMap(changeOf),
    commits: commitsIn(steps),
    deployments,
    records: recordsIn(document, organization),
    unlisted: unlistedIn(document),
    risks: risksOf(steps, deployments),
  };
}

/** Arguments and outputs that decide what a run finds lost. No secret is one of them. */
const DECIDING: readonly string[] = [
  ...['existing', 'clouds', 'recreatePlatforms', 'down', 'accept', 'whenBusy', 'configured', 'scaled', 'pctScale'],
  ...['adminstatus', 'ciId', 'revision', 'releaseId', 'pulled', 'deploymentId', 'state', 'running'],
];

const deciding = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => DECIDING.includes(name)));

/** The records of a document, changed or not, that the run does not delete or replace. */
const recordsIn = ({ steps }: EngineDocument, organization: string): NonNullable<Plan['records']> =>
  (steps ?? []).flatMap((step) => {
    const kind = kindOf(kindToken(parseUrn(step.urn)?.type ?? '') ?? '');
    const id = kind && (step.oldState?.id || addressIn(step, kind, organization));
    const isLeft = step.newState && !step.op.includes('replace');
    if (kind === undefined || id === undefined || !isLeft) return [];
    const outputs = step.oldState?.outputs;
    const inputs = deciding(withOwnNames(kind, step.newState?.inputs ?? {}));
    return [{ kind, id, inputs, ...(outputs ? { outputs: deciding(outputs) } : {}) }];
  });

/** The lines around a document that cannot be read, which may contain secrets in clear. */
function textAround(text: string): string {
  const from = documentStart(text);
  if (from === undefined) return text;
  const end = text.lastIndexOf('\n}');
  return `${text.slice(0, from)}(a document that cannot be read)\n${end > from ? text.slice(end + 2) : ''}`;
}

/** Releases and deployments have their own part. */
const isAction = ({ kind }: PlannedStep): boolean => kind?.token === 'DesignRelease' || kind?.token === 'Deployment';

function changeOf(planned: PlannedStep): readonly ResourceChange[] {
  if (isAction(planned)) return [];
  const { operation, token, kind, step } = planned;
  const attributes = changedAttributes(step, token);
  // An environment whose release alone is new is listed among the deployments.
  if (operation === 'update' && attributes.length === 0 && kind?.token === 'Environment') return [];
  return [{ ...namedStep(planned), attributes }];
}

function namedStep({ operation, token, logicalName, address, step }: PlannedStep): Plan['actions'][number] {
  return { operation, kind: token, address, logicalName, ...enginePlace(step.newState ?? step.oldState) };
}

/** What the engine said, errors first. */
function diagnosticsOf({ diagnostics }: EngineDocument): Plan['diagnostics'] {
  const of = (wanted: 'error' | 'warning'): Plan['diagnostics'] =>
    (diagnostics ?? []).flatMap(({ urn = '', message: text, severity }) => {
      const names = parseUrn(urn);
      const subject = names && !names.type.startsWith('pulumi:') ? { subject: names.name } : {};
      const message = plain(text)
        .replace(/^(?:error|warning): /, '')
        .trim();
      return severity !== wanted || message === '' ? [] : { severity: wanted, ...subject, message };
    });
  return [...of('error'), ...of('warning')];
}

/** Without colours: the engine's own marks `<{%fg 1%}>`, and those of terminals. */
const plain = (text: string): string => stripVTControlCharacters(text.replace(/<\{%[^%]*%\}>/g, ''));

const before = ({ step }: PlannedStep): Values => step.oldState?.inputs ?? {};
const after = ({ step }: PlannedStep): Values => step.newState?.inputs ?? {};

/** What each design release will commit, by the assembly's id: `~web/compute +web/motd`. */
function commitsIn(steps: readonly PlannedStep[]): { readonly [assembly: string]: readonly string[] } {
  const releases = steps.filter(({ kind, operation }) => kind?.token === 'DesignRelease' && operation !== 'delete');
  return Object.fromEntries(releases.map((each) => [each.address, changedAround(steps, each, 'design')]));
}

function deploymentsIn(steps: readonly PlannedStep[]): readonly PlannedDeployment[] {
  const commits = commitsIn(steps);
  const deployed = steps.filter(({ kind }) => kind?.token === 'Deployment');
  const environments = steps.filter(({ kind }) => kind?.token === 'Environment');
  const pulls = (address: string): readonly string[] => {
    const environment = environments.find((each) => each.address === address);
    if (environment === undefined || !pullsRelease(environment, steps)) return [];
    return commits[address.slice(0, address.lastIndexOf('/'))] ?? [];
  };
  const alone = environments.filter(
    (each) =>
      each.operation === 'update' &&
      pullsRelease(each, steps) &&
      !deployed.some(({ address }) => address === each.address),
  );
  const all: readonly PlannedDeployment[] = [
    ...deployed.map((each) => deploymentOf(each, pulls(each.address), changedAround(steps, each, 'environment'))),
    ...alone.map(({ address }) => ({ environment: address, does: 'pulls' as const, because: pulls(address) })),
  ];
  return all.map((each) => (pullsDesign(steps, each.environment) ? { ...each, pulls: true } : each));
}

/**
 * Whether a run pulls the design into an environment, or may have to: its design release is another
 * one, or something in it is changed, which may give a value back that only a pull brings.
 */
const pullsDesign = (steps: readonly PlannedStep[], environment: string): boolean =>
  steps.some((step) => {
    const { kind, operation, address } = step;
    if (kind?.token === 'Environment')
      return address === environment && (pullsRelease(step, steps) || !same(step, 'newer'));
    const isInside = kind?.stage === 'environment' && address.startsWith(`${environment}/`);
    return isInside && operation !== 'create' && operation !== 'import';
  });

/**
 * Whether an environment gets another design release. A saved plan does not contain the release: it
 * is another one where the design is committed, and where nothing else of the environment changes.
 */
const pullsRelease = (step: PlannedStep, steps: readonly PlannedStep[]): boolean =>
  step.operation === 'create' ||
  !same(step, 'designRelease') ||
  (after(step)['designRelease'] !== undefined &&
    step.operation === 'update' &&
    (changedAttributes(step.step, step.token).length === 0 ||
      steps.some(
        ({ kind, address }) =>
          kind?.token === 'DesignRelease' && address === step.address.slice(0, step.address.lastIndexOf('/')),
      )));

const same = (step: PlannedStep, name: string): boolean =>
  JSON.stringify(before(step)[name]) === JSON.stringify(after(step)[name]);

function deploymentOf(step: PlannedStep, design: readonly string[], changed: readonly string[]): PlannedDeployment {
  const environment = step.address;
  if (step.operation === 'delete') {
    const retains = step.isRetained || before(step)['onDelete'] === 'retain';
    return { environment, does: retains ? 'lets-go' : 'tears-down', because: [] };
  }
  if (step.operation === 'create') return { environment, does: 'first', because: [] };
  const own = changed.filter((member) => member !== '~environment' || design.length === 0);
  const unfinished = unfinishedText(step.step.oldState?.outputs?.['state']) ?? [];
  const because = [...design, ...own, unfinished].flat();
  const isLeft = because.length === 0 && changedAttributes(step.step, step.token).length === 0;
  return { environment, does: 'deploys', because: isLeft ? [LEFT] : because };
}

/** `~web/compute +web/motd -web/cron`: what a release or deployment changes, adds and removes. */
function changedAround(
  steps: readonly PlannedStep[],
  { token, address }: PlannedStep,
  stage: 'design' | 'environment',
): readonly string[] {
  const of = kindOf(token);
  const around = (of && parseId(scopeOfId(of, address) ?? of, address)?.address) ?? {};
  return steps.flatMap((each) => {
    const kind = each.kind && (scopeOfId(each.kind, each.address) ?? each.kind);
    const own = kind?.stage === stage ? parseId(kind, each.address)?.address : undefined;
    if (kind === undefined || own === undefined || isReference({ ...before(each), ...after(each) })) return [];
    if (each.isRetained || !isWithin(kind, own, around)) return [];
    const sign = { create: '+', delete: '-' }[each.operation as string] ?? '~';
    return [`${sign}${recordPath(kind, own)}`];
  });
}

/** Whether nobody writes an argument: the release, deployment and provider make it. */
const isFilled = (token: string, name: string): boolean => {
  const of = kindOf(token);
  return name.startsWith('__') || (of !== undefined && name in { ...of.settles, ...of.fills });
};

/** Arguments of a step's resource that change; each argument it has when it is made or goes. */
function changedAttributes(step: EngineStep, token: string): readonly PlannedAttribute[] {
  const { oldState, newState } = step;
  const before: Values = { ...oldState?.outputs, ...oldState?.inputs };
  const after: Values = newState?.inputs ?? {};
  const secrets = secretPaths(token, [oldState, newState]);
  const reasons = new Set(step.replaceReasons ?? []);
  const paths = pathsOf(step, token, { before: oldState?.inputs ?? {}, after });
  return paths
    .filter(({ segments }) => !isFilled(token, String(segments[0])))
    .map(({ path, segments, replaces }) => ({
      path,
      before: oldState ? shown(before, segments, secrets) : { is: 'absent' },
      after: newState ? shown(after, segments, secrets) : { is: 'absent' },
      replaces: replaces || reasons.has(String(segments[0])),
    }));
}

interface Path {
  readonly path: string;
  readonly segments: PropertyPath;
  readonly replaces: boolean;
}

function pathsOf(
  step: EngineStep,
  token: string,
  { before, after }: { readonly before: Values; readonly after: Values },
): readonly Path[] {
  const detailed = Object.entries(step.detailedDiff ?? {});
  if (detailed.length > 0)
    return detailed.map(([path, { kind = '' }]) => ({
      path,
      segments: parsePropertyPath(path) ?? [path],
      replaces: kind.endsWith('-replace'),
    }));
  const isWhole = step.oldState === undefined || step.newState === undefined;
  const of = kindOf(token);
  // The address of a created or deleted resource shows them already.
  const named = isWhole && of !== undefined ? everyAddressName(of) : [];
  const names = differing(before, after).filter((name) => !named.includes(name));
  return names.flatMap((name) => leavesOf(name, before[name], after[name]));
}

/** Names of values that differ. */
const differing = (before: Values = {}, after: Values = {}): readonly string[] =>
  Object.keys({ ...before, ...after }).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

/** An open map by its entries, so that a secret one hides itself only. */
function leavesOf(name: string, before: unknown, after: unknown): readonly Path[] {
  const [left, right] = [before, after].map((each) => (isPlainObject(each) ? each : undefined));
  if (left === undefined && right === undefined) return [{ path: name, segments: [name], replaces: false }];
  return differing(left, right).map((key) => ({ path: memberPath(name, key), segments: [name, key], replaces: false }));
}

/** Arguments, and `argument.entry` of open maps, that are secret by kind or by the program. */
function secretPaths(token: string, states: readonly (EngineState | null | undefined)[]): ReadonlySet<string> {
  const of = kindOf(token);
  const own = of === undefined ? [] : secretNames(of);
  const open = states.flatMap((state) => {
    const found = of === undefined ? undefined : secretAttributes(of, state?.inputs ?? {});
    return (found?.names ?? []).map((name) => `${found?.argument}.${name}`);
  });
  return new Set([...own, ...open, ...states.flatMap((state) => state?.additionalSecretOutputs ?? [])]);
}

function shown(values: Values, segments: PropertyPath, secrets: ReadonlySet<string>): Shown {
  let value: unknown = values;
  for (const segment of segments)
    value =
      typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown })[segment] : undefined;
  if (value === undefined || value === null) return { is: 'absent' };
  if (value === MASK || secrets.has(String(segments[0])) || secrets.has(segments.slice(0, 2).join('.')))
    return { is: 'secret' };
  return holdsUnknown(value) ? { is: 'unknown' } : { is: 'value', value };
}
