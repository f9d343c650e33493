// The attributes of a record that are compared: every declared argument that says something of the record, an open map entry by entry.
// It must not know where values come from.
import { isPlainObject, secretAttributes, type Inputs, type Kind, type Shape } from '../../provider';
import { isHiddenAt, type ArgumentPath } from './hidden';

/** One comparable attribute. */
export interface Attribute {
  readonly path: ArgumentPath;
  readonly shape: Shape;
  readonly secret: boolean;
  /** No read answers it: what was applied is taken to stand there. */
  readonly writeOnly: boolean;
}

/** What one source says: arguments, and which of them it keeps as secrets. */
export interface Side {
  readonly inputs: Inputs;
  readonly hidden: readonly ArgumentPath[];
}

const entriesOf = (value: unknown): Inputs => (isPlainObject(value) ? value : {});

/** The attributes that any of the sides declares. What steers our own work, and what check fills in, is none. */
export function attributesOf(kind: Kind, sides: readonly Side[]): readonly Attribute[] {
  if (sides.some(({ inputs }) => inputs['existing'] === true)) return [];
  const isHidden = (path: ArgumentPath): boolean => sides.some(({ hidden }) => isHiddenAt(hidden, path));
  return Object.entries(kind.fields).flatMap(([name, field]): readonly Attribute[] => {
    if (field.channel === 'control' || kind.fills?.[name] !== undefined) return [];
    if (!sides.some(({ inputs }) => inputs[name] !== undefined && inputs[name] !== null)) return [];
    const { shape, writeOnly } = field;
    if (shape.type !== 'open') return [{ path: [name], shape, writeOnly, secret: field.secret || isHidden([name]) }];
    const encrypted = new Set(sides.flatMap(({ inputs }) => secretAttributes(kind, inputs)?.names ?? []));
    const entries = new Set(sides.flatMap(({ inputs }) => Object.keys(entriesOf(inputs[name]))));
    return [...entries].map((entry) => {
      const path = [name, entry];
      return { path, shape, writeOnly, secret: encrypted.has(entry) || isHidden(path) };
    });
  });
}
