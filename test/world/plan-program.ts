// A plan of a stack file as the resources that its program registers, and what an import makes of them.
import { importFile, type ImportFile } from '../../provider/import';
import { addressOf, formatId, scopeAt, secretIn, type Inputs } from '../../provider';
import type { Lifecycle } from '../../provider/lifecycle';
import { resolve, type Carrier, type StackPlan } from '../../stack';
import type { Declared, Stack } from './engine-simulation';
import { settled } from './stack-spec';
import { kindOf } from './world';

/** The arguments of each resource, with names of parents and values of configuration in place of references. */
export function declaredIn(plan: StackPlan, config: { readonly [name: string]: unknown }): readonly Declared[] {
  const args = new Map<string, Inputs>();
  const carrier: Carrier<unknown> = {
    lookup: (target) => {
      if (target.of === 'config') return config[target.name];
      return target.of === 'resource' ? args.get(target.key)?.[target.output] : undefined;
    },
    combine: (value, compute) => compute(value),
    secret: (value) => value,
    invoke: () => undefined,
  };
  return plan.resources.map((each) => {
    const own = Object.fromEntries(
      Object.entries(each.args).map(([name, value]) => [name, resolve(value, carrier)] as const),
    );
    args.set(each.key, own);
    return { key: each.key, token: each.kind.token, args: own, after: each.after };
  });
}

/** The resources of a plan, as the SDK registers them. */
export const programOf = (plan: StackPlan, config: { readonly [name: string]: unknown }): readonly Declared[] =>
  settled(declaredIn(plan, config));

/** What the engine has after an import of everything that a plan declares. */
export async function imported(
  declared: readonly Declared[],
  life: (token: string) => Lifecycle,
): Promise<{ readonly stack: Stack; readonly file: ImportFile }> {
  const taken = declared.map(({ key, token, args }) => {
    const of = scopeAt(kindOf(token), args) ?? kindOf(token);
    const id = formatId(of, 'acme', addressOf(of, args));
    return { of: kindOf(token), id, name: key.slice(key.indexOf('::') + 2), declared: args };
  });
  const file = await importFile(taken, (of) => life(of.token));
  const stack = new Map(
    file.resources.map(({ type, logicalName, id, inputs, outputs }) => {
      const token = type.split(':').at(-1) ?? '';
      const key = `${token}::${logicalName}`;
      const none = {
        after: [],
        madeOf: {},
        deletedWith: undefined,
        mark: undefined,
        incomplete: false,
        replacing: false,
      };
      return [key, { key, token, id, inputs: unmarked(inputs), outputs: unmarked(outputs), ...none }] as const;
    }),
  );
  return { stack, file };
}

/** Values without the engine's marks of secrets. */
function unmarked(inputs: Inputs): Inputs {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const secret = secretIn(value);
      if (typeof secret === 'object') return [name, secret.value];
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isMap ? unmarked(value as Inputs) : value];
    }),
  );
}
