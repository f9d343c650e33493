// Which entries of an open map are secret: what the catalogue says of the class, or, for a class it does not hold, what names sound like it.
// It must not know any single kind, nor where the values go.
import { classMetadata, componentClasses, registeredClass, templateClass } from '../../api/contract';
import { openName, type Kind } from '../kind';
import { SECRET_WORD } from './names';
import type { Inputs } from '../check';
import { UNKNOWN } from '../values/unknown';

/** The open map of a kind and its secret entries; undefined when the kind has none, or nothing in it is secret. */
export function secretAttributes(
  of: Kind,
  inputs: Inputs,
): { readonly argument: string; readonly names: readonly string[] } | undefined {
  const argument = openName(of);
  const values = argument === undefined ? undefined : inputs[argument];
  if (argument === undefined || typeof values !== 'object' || values === null) return undefined;
  const { type } = inputs;
  const isTold = typeof type === 'string' && type !== UNKNOWN;
  const known = isTold ? attributesOf(templateClass(type)) : undefined;
  const mayBe = !isTold && 'type' in of.fields ? isEncryptedSomewhere : () => false;
  const names = Object.keys(values).filter((name) =>
    known ? known[name]?.encrypted === true : SECRET_WORD.test(name) || mayBe(name),
  );
  return names.length > 0 ? { argument, names } : undefined;
}

const attributesOf = (className: string | undefined) =>
  className === undefined ? undefined : classMetadata(registeredClass('catalog', className))?.attributes;

const isEncryptedSomewhere = (name: string): boolean =>
  componentClasses.some((className) => attributesOf(className)?.[name]?.encrypted === true);
