// What a stack file declares, as plain data: references are resolved as far as the state, or the file itself, contains their values.
import { WrongInput } from '../../api/errors';
import {
  addressNames,
  addressOf,
  formatId,
  holdsUnknown,
  parsePropertyPath,
  scopeAt,
  UNKNOWN,
  type Inputs,
} from '../../provider';
import {
  loadStack,
  resolve,
  resourceKey,
  type Carrier,
  type ResourceDeclaration,
  type ResourceKey,
  type StackPlan,
  type StackSource,
  type Target,
} from '../../stack';
import { startOf } from './subjects';
import { hide, holdsHidden, unhidden, split } from './secret-values';
import type { Code, CodeRecord, StackState } from './subjects';

/** What a file means depends on. */
interface CodeSource extends StackSource {
  readonly organization: string;
}

/** What the file declares, warnings apart, with one line each; or what is wrong with it. */
type ReadCode = { readonly code: Code; readonly warnings: readonly string[] } | Unusable;

/** What is wrong with files, as text for a terminal, and with one line for each error. */
interface Unusable {
  readonly problem: string;
  readonly lines: readonly string[];
}

/** The files of a stack cannot be used. The message is for a terminal, with lines of the files. */
export class UnusableCode extends WrongInput {
  /** The same on one line, for a list of stacks. */
  readonly short: string;

  constructor({ problem, lines: [first = '', ...more] }: Unusable, files: readonly string[]) {
    super(problem);
    this.short = [
      `${files.join(', ')} cannot be used: ${first}`,
      ...(more.length === 0 ? [] : [`and ${more.length} more`]),
    ].join('; ');
  }
}

/** Reads a stack file. Computed outputs of other resources are taken from the state, when it is given. */
export function readCode(source: CodeSource, state?: StackState): ReadCode {
  // Whether the catalogue knows what is declared is for checks to say: a review compares what exists.
  const stack = source.stack ?? state?.stack;
  const loaded = loadStack({
    ...source,
    catalogue: 'off',
    ...(stack === undefined ? {} : { stack }),
  });
  if ('problem' in loaded) return loaded;
  const { plan, config, lines } = loaded;
  return { code: declaredCode(plan, config, source, state), warnings: lines };
}

/** What a plan declares. A value of the configuration that is not given is not known. */
export function declaredCode(
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  source: CodeSource,
  state?: StackState,
): Code {
  const carrier = carrierOf(source, plan, config, state);
  return { records: plan.resources.flatMap((each) => declaredOf(each, carrier, source)) };
}

function declaredOf(
  declaration: ResourceDeclaration,
  carrier: Carrier<unknown>,
  { organization }: CodeSource,
): readonly CodeRecord[] {
  const { logicalName, args, secrets, options, places } = declaration;
  const { plain, hidden } = split(
    Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value, carrier)])),
  );
  const inputs = plain as Inputs;
  const kind = scopeAt(declaration.kind, inputs) ?? declaration.kind;
  // A record whose name is not known before the run cannot be looked for.
  if (addressNames(kind).some((name) => typeof inputs[name] !== 'string' || holdsUnknown(inputs[name]))) return [];
  return [
    {
      kind,
      id: formatId(kind, organization, addressOf(kind, inputs)),
      logicalName,
      inputs,
      hidden: [...hidden, ...secrets.map((steps) => steps.map(String))],
      at: startOf(declaration.at),
      places: new Map(places.map(({ path, key }) => [path.join('.'), startOf(key)])),
      ignored: (options.ignoreChanges ?? []).flatMap((each) =>
        [parsePropertyPath(each)].filter((path) => path !== undefined),
      ),
    },
  ];
}

/** Values carried as plain data: secrets marked, what is known only in a run as the sentinel. */
function carrierOf(
  source: CodeSource,
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  state: StackState | undefined,
): Carrier<unknown> {
  const declared = new Map(plan.resources.map((each) => [each.key, each]));
  const applied = new Map(
    (state?.records ?? []).map((each) => [resourceKey(each.kind.token, each.logicalName), each] as const),
  );
  const hidden = new Set([
    ...(source.secretConfig ?? []),
    ...plan.config.filter(({ secret }) => secret).map(({ name }) => name),
  ]);
  const pulumi = {
    stack: source.stack ?? state?.stack,
    project: source.project,
    organization: undefined,
    cwd: source.directory,
    rootDirectory: undefined,
  };

  const ofResource = (key: ResourceKey, output: string): unknown => {
    const own = declared.get(key);
    if (own && output in own.args) return resolve(own.args[output] ?? null, carrier);
    const kept = applied.get(key);
    return kept?.computed[output] ?? UNKNOWN;
  };
  const lookup = (target: Target): unknown => {
    switch (target.of) {
      case 'config': {
        const value = config[target.name] ?? UNKNOWN;
        return hidden.has(target.name) ? hide(value) : value;
      }
      case 'pulumi':
        return pulumi[target.name] ?? UNKNOWN;
      case 'resource':
        return ofResource(target.key, target.output);
    }
  };
  const carrier: Carrier<unknown> = {
    lookup,
    combine: (values, compute) => {
      const plain = values.map(unhidden);
      const combined = plain.some(holdsUnknown) ? UNKNOWN : compute(plain);
      return values.some(holdsHidden) ? hide(combined) : combined;
    },
    secret: hide,
    // What the service would answer is part of a run, not of the file.
    invoke: () => UNKNOWN,
  };
  return carrier;
}
