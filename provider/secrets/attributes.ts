// Secret entries of an open map: by the catalogue of the class, or by their names.
import { componentClass, componentClasses, type Diagnostic, templateClass, warning } from '../../api/contract';
import type { Inputs } from '../lifecycle/check';
import { fieldOf, type Kind, openName } from '../kind';
import { oncePer, UNKNOWN } from '../values/plain';
import { SECRET_WORD } from './names';

export function secretAttributes(
  of: Kind,
  inputs: Inputs,
): { readonly argument: string; readonly names: readonly string[] } | undefined {
  const argument = openName(of);
  const values = argument === undefined ? undefined : inputs[argument];
  if (argument === undefined || typeof values !== 'object' || values === null) return undefined;
  const { type } = inputs;
  const hasType = typeof type === 'string' && type !== UNKNOWN;
  const known = hasType ? componentClass(templateClass(type))?.attributes : undefined;
  const mayBe = !hasType && 'type' in of.fields ? isEncryptedSomewhere : () => false;
  const names = Object.keys(values).filter((name) =>
    known ? known[name]?.encrypted === true : SECRET_WORD.test(name) || mayBe(name),
  );
  return names.length > 0 ? { argument, names } : undefined;
}

/** Paths of what is secret in a record's values: arguments, and entries of an open map. */
export function secretPathsIn(of: Kind, values: Inputs): readonly (readonly string[])[] {
  const { argument = '', names = [] } = secretAttributes(of, values) ?? {};
  return [...ownSecrets(of), ...names.map((name) => [argument, name])];
}

const ownSecrets: (of: Kind) => readonly (readonly string[])[] = oncePer(({ fields }) =>
  Object.keys(fields).flatMap((name) => (fields[name]?.secret ? [[name]] : [])),
);

const isEncryptedSomewhere = (name: string): boolean =>
  componentClasses.some((className) => componentClass(className)?.attributes[name]?.encrypted === true);

/**
 * A warning when a secret at `path` is stored in clear; undefined where the service encrypts it, or
 * keeps nothing. `inputs` show the class, which decides.
 */
export function readableSecret(of: Kind, path: readonly string[], inputs: Inputs): Diagnostic | undefined {
  const [name = '', entry] = path;
  const field = fieldOf(of, name);
  const isKept = field?.channel !== 'control' || field.noted === true;
  if (field?.secret || !isKept || field?.whenSecret !== undefined) return undefined;
  const encrypted = secretAttributes(of, inputs);
  const isOpenMap = field?.shape.type === 'open';
  if (isOpenMap && (entry === undefined ? encrypted !== undefined : encrypted?.names.includes(entry))) return undefined;
  const word = isOpenMap ? (entry ?? name) : name;
  return warning(
    'readable-secret',
    path,
    `"${word}" is given a secret, but the service does not encrypt it: everybody who may read the ${of.stage === 'none' ? 'record' : 'assembly'} can read it`,
    of.stage === 'none'
      ? 'take the secret out of it'
      : 'keep the secret in a secret variable of the assembly, and write $OO_GLOBAL{NAME} here',
  );
}
