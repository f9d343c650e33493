// Reviews of what is in a world: a state as the engine exports it, and the review of it as another run makes it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  acceptFindings,
  applyReversals,
  planRevert,
  type DriftFinding,
  type RevertContext,
  type SourceRecord,
} from '../../drift';
import type { Review } from '../../drift/review/review';
import { reviewStack, type ReviewOptions } from '../../drift/review/review-stack';
import { readCode, readState, type CodeRecord, type StackState } from '../../drift/review/sources';
import { dynamicType, scopeAt, secretNames, type Inputs, type Kind } from '../../provider';
import { secretAttributes } from '../../provider/secrets';
import { readDriftFile, type DriftFile } from '../../stack/run/drift-file';
import type { Stack } from './engine-simulation';
import { kindOf, type World } from './world';

/** A resource as a state contains it. */
export interface Kept {
  readonly token: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  /** `project:///oneops.yaml#4,3` */
  readonly sourcePosition?: string;
  /** Keys of the resources each argument is made of. */
  readonly madeOf?: { readonly [argument: string]: readonly string[] };
}

/** What an engine's stack holds, for a state. */
export const keptOf = (stack: Stack): readonly Kept[] =>
  [...stack.values()].map(({ key, token, id, inputs, outputs, madeOf }) => ({
    token,
    name: key.slice(token.length + 2),
    id,
    inputs,
    outputs,
    madeOf,
  }));

/** URN of the resource with a key: `Platform::web`. */
export const urnOf = (key: string): string => {
  const [token = '', ...name] = key.split('::');
  return `urn:pulumi:dev::shop::${dynamicType(token)}::${name.join('::')}`;
};

/** What a file with this text, called `oneops.yaml`, declares. Throws Error with what is wrong with it. */
export function codeOf(text: string, state?: StackState): readonly CodeRecord[] {
  const directory = mkdtempSync(join(tmpdir(), 'oneops-drift-'));
  try {
    writeFileSync(join(directory, 'oneops.yaml'), text);
    const read = readCode({ files: ['oneops.yaml'], directory, config: {}, organization: 'acme' }, state);
    if ('problem' in read) throw new Error(read.problem);
    return read.code;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const SECRET = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };

/** A value as the engine writes a secret: in clear, as `--show-secrets` does, or encrypted. */
const asSecret = (value: unknown, encrypted: boolean): object =>
  encrypted ? { ...SECRET, ciphertext: 'v1:unreadable' } : { ...SECRET, plaintext: JSON.stringify(value) };

/** Inputs or outputs as the engine writes them: with their secrets marked. */
export function written(of: Kind, inputs: Inputs, encrypted: boolean): Inputs {
  const own = secretNames(of).filter((name) => inputs[name] !== undefined);
  const entries = secretAttributes(of, inputs);
  return {
    ...inputs,
    ...Object.fromEntries(own.map((name) => [name, asSecret(inputs[name], encrypted)])),
    ...(entries
      ? {
          [entries.argument]: Object.fromEntries(
            Object.entries(inputs[entries.argument] as Inputs).map(([name, value]) => [
              name,
              entries.names.includes(name) ? asSecret(value, encrypted) : value,
            ]),
          ),
        }
      : {}),
  };
}

/** What `pulumi stack export` prints of these resources. */
export function exportOf(resources: readonly Kept[], { encrypted = false, saved = '' } = {}): unknown {
  return {
    version: 3,
    deployment: {
      manifest: saved === '' ? {} : { time: saved },
      resources: [
        { urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev', type: 'pulumi:pulumi:Stack', custom: false },
        ...resources.map(({ token, name, id, inputs, outputs, sourcePosition, madeOf = {} }) => ({
          urn: urnOf(`${token}::${name}`),
          custom: true,
          id,
          type: dynamicType(token),
          inputs: { __provider: 'exports', ...written(kindOf(token), inputs, encrypted) },
          outputs: { __provider: 'exports', ...written(kindOf(token), outputs, encrypted) },
          propertyDependencies: Object.fromEntries(
            Object.entries(madeOf).map(([argument, keys]) => [argument, keys.map(urnOf)]),
          ),
          ...(sourcePosition === undefined ? {} : { sourcePosition }),
        })),
      ],
    },
  };
}

/** A review of what is in a world, by the user `admin` unless said otherwise. `text`: of the stack's file. */
export function reviewIn(
  world: World,
  resources: readonly Kept[],
  options: Partial<ReviewOptions> & { readonly encrypted?: boolean; readonly text?: string } = {},
): Promise<Review> {
  const { encrypted = false, text, ...rest } = options;
  const state = readState(exportOf(resources, { encrypted }));
  const code = text === undefined ? undefined : codeOf(text, state);
  return reviewStack({ api: world.api, state, code, clock: world.freshSession().clock, ...rest });
}

export const NO_RULES = { name: 'drift.yaml', text: '' } as const;

export const rulesOf = (text: string): DriftFile => readDriftFile({ name: 'drift.yaml', text });

/** What accepting findings makes of a file, and what it refuses. */
export function acceptedIn(text: string, findings: readonly DriftFinding[]) {
  const environment = { readFile: () => ({ problem: 'there are no files here' }) };
  const { files, refused } = acceptFindings(findings, [{ name: 'oneops.yaml', text }], {
    organization: 'acme',
    environment,
  });
  return { text: files[0]?.text ?? '', refused };
}

/** Findings of what nobody declares. */
export const unexpectedIn = ({ findings }: Review): readonly DriftFinding[] =>
  findings.filter(({ classification }) => classification === 'unexpected');

/** What a stack declares, as its state has it. */
export const declaredBy = (stack: Stack): readonly SourceRecord[] =>
  [...stack.values()].map(({ key, token, id, inputs }) => ({
    kind: scopeAt(kindOf(token), inputs) ?? kindOf(token),
    ...{ id, logicalName: key, inputs, hidden: [] },
  }));

/** What reverting works on: all that is declared. */
export const revertingOf = (world: World, declared: readonly SourceRecord[]): RevertContext => ({
  ...{ api: world.api, declared, clock: world.freshSession().clock },
  tell: () => undefined,
});

/** The same of a file with this text. */
export const revertingIn = (world: World, text: string): RevertContext => revertingOf(world, codeOf(text));

export async function revertedIn(
  context: RevertContext,
  findings: readonly DriftFinding[],
): Promise<Awaited<ReturnType<typeof planRevert>>> {
  const plan = await planRevert(context, findings);
  const { failed } = await applyReversals(context, plan.reversals);
  if (failed !== undefined) throw failed.error;
  return plan;
}
