// Another value for every single attribute a resource declares: what somebody else may write on its record.
// It must not know any kind, nor who looks for it afterwards.
import { secretAttributes, type Inputs, type Kind, type Shape } from '../../provider';

/** One attribute and the value it is given: a field, or an entry of an open map. */
export interface Tampering {
  /** `['content']`, `['attributes', 'username']`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Attributes that nobody can give another value, and why. */
const UNTAMPERED: { readonly [path: string]: string } = {
  'Platform.version': 'the catalogue has one version of each pack, and the service refuses one that it has not',
};

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of the same form that means something else. */
export function otherValue(shape: Shape, value: unknown): unknown {
  switch (shape.type) {
    case 'text':
      if (shape.allowed) return shape.allowed.find((word) => word !== value);
      return otherText(String(value));
    case 'flag':
      return !value;
    case 'int': {
      const { maximum = Infinity } = shape;
      return Number(value) < maximum ? Number(value) + 1 : Number(value) - 1;
    }
    case 'list': {
      const allowed = shape.items.type === 'text' ? shape.items.allowed : undefined;
      const items = value as readonly unknown[];
      return [...items, allowed ? allowed.find((word) => !items.includes(word)) : 'tampered'];
    }
    case 'map': {
      const [key = 'tampered', entry = ''] = Object.entries(isMap(value) ? value : {}).at(-1) ?? [];
      return { ...(value as Inputs), [key]: otherValue(shape.values, entry) };
    }
    case 'object': {
      const [name = '', entry] = Object.entries(value as Inputs).at(-1) ?? [];
      const member = shape.members[name];
      return member ? { ...(value as Inputs), [name]: otherValue(member.shape, entry) } : value;
    }
    case 'open':
      return otherFree(value);
  }
}

/** Numbers stay numbers; in front, so that what a pattern wants of the end (a domain) stays. */
const otherText = (text: string): string => (/^\d+$/.test(text) ? String(Number(text) + 1) : `x${text}`);

function otherFree(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return [...(value as readonly unknown[]), 'tampered'];
  return isMap(value) ? { ...value, tampered: 'yes' } : otherText(String(value));
}

/** Every single attribute that a resource declares and a read can show, each with another value. */
export function tamperings(of: Kind, declared: Inputs): readonly Tampering[] {
  return Object.entries(of.fields).flatMap(([name, field]): readonly Tampering[] => {
    const value = declared[name];
    if (
      value === undefined ||
      `${of.token}.${name}` in UNTAMPERED ||
      field.fixed ||
      field.secret ||
      field.writeOnly ||
      field.channel === 'control'
    )
      return [];
    if (field.shape.type !== 'open') return [{ path: [name], value: otherValue(field.shape, value) }];
    const secrets = secretAttributes(of, declared)?.names ?? [];
    const shown = Object.entries(value as Inputs).filter(([entry]) => !secrets.includes(entry));
    return shown.map(([entry, text]) => ({ path: [name, entry], value: otherFree(text) }));
  });
}

/** The inputs with all of these written on them. */
export function tampered(inputs: Inputs, with_: readonly Tampering[]): Inputs {
  return with_.reduce<Inputs>((soFar, { path: [name = '', entry], value }) => {
    if (entry === undefined) return { ...soFar, [name]: value };
    return { ...soFar, [name]: { ...(soFar[name] as Inputs), [entry]: value } };
  }, inputs);
}
