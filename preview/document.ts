// The document of `pulumi preview --json`, as far as we read it, and its steps as resources.
import * as z from 'zod';
import { addressOf, formatId, KEPT, kindToken, parseUrn, scopeAt, type Kind } from '../provider';
import { withOwnNames } from '../provider/kinds/settled';
import { kindOf } from '../provider/kinds';
import { holdsUnknown, defined } from '../provider/values';
import { jsonOf } from '../drift';
import type { PlannedOperation } from './plan';

export const values = z.record(z.string(), z.unknown());

export const state = z.looseObject({
  id: z.string().optional(),
  inputs: values.nullish(),
  outputs: values.nullish(),
  sourcePosition: z.string().optional(),
  additionalSecretOutputs: z.array(z.string()).nullish(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  replaceReasons: z.array(z.string()).nullish(),
  detailedDiff: z.record(z.string(), z.looseObject({ kind: z.string().optional() })).nullish(),
});

const document = z.looseObject({
  config: z.record(z.string(), z.string()).nullish(),
  steps: z.array(step).nullish(),
  diagnostics: z
    .array(z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string().optional() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** What the engine keeps of a resource, before or after. */
export type EngineState = z.output<typeof state>;
/** One step of the engine's plan. */
export type EngineStep = z.output<typeof step>;
/** A complete preview of the engine. */
export type EngineDocument = z.output<typeof document>;

/** Where a document begins in a text that may have other lines before; undefined when none does. */
export const documentStart = (text: string): number | undefined => /^\{/m.exec(text)?.index;

/** The document in a text, which may have other lines before it; undefined when there is none. */
export function readPreviewDocument(text: string): EngineDocument | undefined {
  const from = documentStart(text);
  if (from === undefined) return undefined;
  // What only begins like JSON is shown as it is.
  const { data } = document.safeParse(jsonOf(text.slice(from)));
  const known = data?.steps ?? data?.diagnostics ?? data?.changeSummary;
  return known === undefined || known === null ? undefined : data;
}

/** The engine's own word for a secret. */
export const MASK = '[secret]';

/** The path of a member, as the engine spells it: `attributes.size`, `members["web/motd"]`. */
export const memberPath = (path: string, key: string): string =>
  /^\w+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

export interface EngineResource {
  /** Kind's token. */
  readonly token: string;
  readonly logicalName: string;
  readonly inputs: { readonly [name: string]: unknown };
  /** Whether it is protected from deletion; undefined where that is not known. */
  readonly isProtected?: boolean;
  /** Whether the run deletes it: its inputs are those that it had. */
  readonly leaves?: boolean;
  /** Place in the program as the engine has it: `oneops.yaml:17:7`. */
  readonly at?: string;
}

export interface PreviewedResources {
  /** Those that it declares, and those that it deletes. */
  readonly resources: readonly EngineResource[];
  /** Number of unchanged resources, which are counted, and listed with `--show-sames` only. */
  readonly unlisted: number;
}

/** The resources of ours that a preview lists, and how many it does not. */
export function previewResources(text: string): PreviewedResources {
  const read = readPreviewDocument(text) ?? {};
  return { resources: resourcesIn(read), unlisted: unlistedIn(read) };
}

/** The resources of ours in a document, changed or not. `placed`: the state that says where one is. */
export function resourcesIn(
  { steps }: EngineDocument,
  placed = ({ newState, oldState }: EngineStep) => newState ?? oldState,
): readonly EngineResource[] {
  const all = steps ?? [];
  const declared = new Set(all.filter(({ newState }) => newState).map(({ urn }) => urn));
  return all.flatMap((step): readonly EngineResource[] => {
    const { op, urn, newState, oldState } = step;
    const names = parseUrn(urn);
    const token = names && kindToken(names.type);
    if (names === undefined || token === undefined) return [];
    const own = { token, logicalName: names.name, ...enginePlace(placed(step)) };
    if (newState) return [{ ...own, inputs: newState.inputs ?? {}, isProtected: newState['protect'] === true }];
    // Of a replacement, the engine lists the deletion, too.
    const leaves = op === 'delete' && !declared.has(urn);
    return leaves ? [{ ...own, inputs: oldState?.inputs ?? {}, leaves }] : [];
  });
}

/** The place of a resource: `project:///oneops.yaml#17,7` → `oneops.yaml:17:7`. */
export function enginePlace(state: { readonly sourcePosition?: string | undefined } | null | undefined): {
  readonly at?: string;
} {
  const position = state?.sourcePosition;
  if (position === undefined) return {};
  return { at: position.replace(/^project:\/\/\//, '').replace(/#(\d+),(\d+)$/, ':$1:$2') };
}

/** How many unchanged resources are counted and not listed, without the stack itself. */
export function unlistedIn({ steps, changeSummary }: EngineDocument): number {
  const all = steps ?? [];
  const listed = all.filter(({ op }) => op === 'same').length;
  const isStack = ({ urn }: EngineStep): boolean => parseUrn(urn)?.type === 'pulumi:pulumi:Stack';
  return Math.max(0, (changeSummary?.['same'] ?? 0) - listed - (all.some(isStack) ? 0 : 1));
}

/** One step of the engine, with what follows from its URN and arguments. */
export interface PlannedStep {
  readonly operation: PlannedOperation;
  readonly token: string;
  /** Its kind; none where another provider declares it. */
  readonly kind: Kind | undefined;
  readonly logicalName: string;
  readonly address: string;
  /** Whether the engine forgets the resource alone, as `retainOnDelete` says: the record stays. */
  readonly isRetained: boolean;
  readonly step: EngineStep;
}

const OPERATIONS: { readonly [op: string]: PlannedOperation } = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  'create-replacement': 'replace',
  delete: 'delete',
  import: 'import',
  'import-replacement': 'replace',
};

/** Steps that do something, each resource once: the engine has three steps for a replacement. */
export function stepsOf(document: EngineDocument, organization: string): readonly PlannedStep[] {
  const byUrn = new Map<string, PlannedStep>();
  for (const step of document.steps ?? []) {
    const operation = OPERATIONS[step.op];
    const names = parseUrn(step.urn);
    if (operation === undefined || names === undefined) continue;
    if (names.type === 'pulumi:pulumi:Stack' || names.type.startsWith('pulumi:providers:')) continue;
    const token = kindToken(names.type) ?? names.type;
    const kind = kindOf(token);
    const known = byUrn.get(step.urn);
    if (known !== undefined && (known.operation === 'replace' || operation === 'delete')) continue;
    const address = addressIn(step, kind, organization) ?? names.name;
    byUrn.set(step.urn, {
      operation,
      token,
      kind,
      logicalName: names.name,
      address,
      isRetained: operation === 'delete' && isRetained(step),
      step: kind === undefined ? step : stepWithOwnNames(kind, step),
    });
  }
  return [...byUrn.values()];
}

const isRetained = ({ oldState }: EngineStep): boolean =>
  oldState?.['retainOnDelete'] === true || oldState?.outputs?.[KEPT] === 'retain';

/** A step with the arguments that nobody writes under their own names. */
function stepWithOwnNames(kind: Kind, { oldState, newState, ...step }: EngineStep): EngineStep {
  const named = (given: EngineState['inputs']): EngineState['inputs'] => given && withOwnNames(kind, given);
  const own = (state: EngineState | null | undefined): EngineState | null | undefined =>
    state && { ...state, inputs: named(state.inputs), outputs: named(state.outputs) };
  return { ...step, ...defined({ oldState: own(oldState), newState: own(newState) }) };
}

/** Id of a step's resource: as it is, or as it will be. */
export function addressIn(
  { oldState, newState }: EngineStep,
  kind: Kind | undefined,
  organization: string,
): string | undefined {
  if (typeof oldState?.id === 'string' && oldState.id !== '') return oldState.id;
  const inputs = newState?.inputs ?? {};
  const scope = kind && scopeAt(kind, inputs);
  if (scope === undefined || organization === '') return undefined;
  const address = addressOf(scope, inputs);
  const parts = Object.values(address);
  return parts.some((part) => part === '' || holdsUnknown(part)) ? undefined : formatId(scope, organization, address);
}
