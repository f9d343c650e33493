// Which entries of a resource's open map are kept as secrets, also of an output or a promise.
import { isSecret, output, Output, secret, type Input } from '@pulumi/pulumi/output';
import { openName, type Kind } from '../provider';
import { secretAttributes } from '../provider/secrets';
import { present, type Values } from '../provider/values';
import { valueOf } from './tree';

/** The open map, each secret entry marked on its own: the others stay readable in previews. */
export function withSecretAttributes(of: Kind, given: Values): { readonly [argument: string]: Input<unknown> } {
  const argument = openName(of);
  const values = argument === undefined ? undefined : given[argument];
  if (argument === undefined || !present(values)) return {};
  const isLater = isComing(values) || isComing(given['type']);
  return { [argument]: isLater ? markedOnceKnown(of, argument, given) : marked(of, argument, given) };
}

/**
 * Arguments that another one replaces when their value is a secret: the plain value of a variable.
 * Whether an output is a secret is known late, so both are promises, and one of them stays empty.
 */
export function secretsMoved(of: Kind, given: Values): { readonly [argument: string]: Input<unknown> } {
  const moved = Object.entries(of.fields).flatMap(([name, { whenSecret }]) => {
    if (whenSecret === undefined || !isComing(given[name]) || present(given[whenSecret])) return [];
    const whole = output(given[name]);
    const known = isSecret(whole);
    return [
      [name, known.then((isOne) => (isOne ? undefined : whole))] as const,
      [whenSecret, known.then((isOne) => (isOne ? whole : undefined))] as const,
    ];
  });
  return Object.fromEntries(moved);
}

const isComing = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

function marked(of: Kind, argument: string, inputs: Values): unknown {
  const found = secretAttributes(of, inputs)?.names;
  if (found === undefined) return inputs[argument];
  const values = inputs[argument] as Values;
  const names = found.filter((name) => values[name] !== undefined);
  return { ...values, ...Object.fromEntries(names.map((name) => [name, secret(values[name])])) };
}

/**
 * The same for a value to wait for. A promise: an output would be secret as a whole with one secret
 * entry. Each entry stays an output, so that the engine knows its origin. Unknown in a preview, it
 * is handed on as it is.
 */
async function markedOnceKnown(of: Kind, argument: string, given: Values): Promise<unknown> {
  const type = await valueOf(given['type']);
  const values = await given[argument];
  if (!Output.isInstance(values)) return marked(of, argument, { type, [argument]: values });
  const whole = output(values as Input<Values | undefined>);
  const map = await valueOf(whole);
  const names = map === undefined ? undefined : secretAttributes(of, { type, [argument]: map })?.names;
  if (map === undefined || names === undefined) return whole;
  const entries = Object.keys(map).map((name) => [name, whole.apply((known) => known?.[name])] as const);
  return Object.fromEntries(entries.map(([name, entry]) => [name, names.includes(name) ? secret(entry) : entry]));
}
