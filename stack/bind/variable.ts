// Variables of the assembly, of a platform, or of an environment: a value each, plain or secret, or a map with more to say.
// It must not know what variables are used for.
import { formatId, kindInFile, nearest, scopeWithin } from '../../provider';
import { entryOf, type Entry, type MapNode } from '../reader/tree';
import type { Draft } from './draft';
import { bindResource, filledEntry, type DraftResource } from './resource';
import { isSecretValue } from './readable-secrets';
import { expectMap, type Scope } from './scope';
import { bindValue, hideSecret, isMasked } from './values';

const variableKind = kindInFile('variables.*');

/**
 * Binds the `variables` of a map that belongs to `parent`. `known`: names of those there are, where others than these cannot be meant; told as a
 * warning, since the file need not declare all of them.
 */
export function bindVariables(
  scope: Scope,
  body: MapNode | undefined,
  parent: DraftResource,
  known?: readonly string[],
): readonly DraftResource[] {
  const map = expectMap(
    scope,
    entryOf(body, 'variables')?.value,
    'a map of variables by name',
    'variables: { LOG_LEVEL: info }',
  );
  return (map?.entries ?? []).map((own) => {
    if (known && !known.includes(own.key)) tellUnknown(scope, own, known);
    return bindVariable(scope, own, parent);
  });
}

function tellUnknown(scope: Scope, own: Entry, known: readonly string[]): void {
  const near = nearest(own.key, known);
  scope.report.warning(
    own,
    'unknown-variable',
    `the file declares no variable "${own.key}" of the assembly: an environment only gives another value to one the design has`,
    near ? `did you mean "${near}"?` : 'declare it under variables at the top',
  );
}

function bindVariable(scope: Scope, own: Entry, parent: DraftResource): DraftResource {
  const kind = scopeWithin(variableKind, parent.kind) ?? variableKind;
  const isRecord = own.value.form === 'map' && !own.value.entries.some(({ key }) => key.startsWith('fn::'));
  const body = isRecord && own.value.form === 'map' ? own.value : undefined;
  const written = body ? filledEntry(body, 'value') : own;
  const value = written && bindText(scope, written);
  const isSecret = value !== undefined && isSecretValue(scope, value);
  if (written && isSecret) hideSecret(scope, written.value);
  const argument = isSecret ? 'encryptedValue' : 'value';
  const { name: parentName = '', assembly = parentName } = parent.address;
  const address = { assembly, [argumentOf(parent)]: parentName, name: own.key };
  return bindResource(scope, {
    kind,
    // Its path below the assembly.
    logicalName: formatId(kind, '', address).split('/').slice(2).join('/'),
    names: [...(parent.within === undefined ? [] : parent.names), 'variables', own.key],
    address,
    own,
    body,
    structure: ['value'],
    ...(value === undefined ? {} : { given: { [argument]: value } }),
    ...(written ? { givenEntries: { [argument]: written } } : {}),
    within: parent.key,
  });
}

/** `Platform` → `platform`: the argument that names a parent. */
const argumentOf = ({ kind }: DraftResource): string => kind.token.charAt(0).toLowerCase() + kind.token.slice(1);

/** The value as text. A mask in place of a secret is told as one. */
const bindText = (scope: Scope, { value: node }: Entry): Draft | undefined =>
  bindValue(scope, node, { type: 'text' }, isMasked(node));
