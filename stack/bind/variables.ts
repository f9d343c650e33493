// Variables of the assembly or of a platform, and of either in an environment: a value each, plain
// or secret, or a map with more to say.
import { kindInFile } from '../../provider/kinds';
import { didYouMean } from '../../provider/values';
import { filledEntry, type Entry, type MapNode } from '../yaml/tree';
import { reportAbsent } from './names';
import { bindResource, type DraftResource } from './resource';
import { entriesBelow, type BindScope } from './scope';
import { isMasked, isSecretValue, reportReadableVariable } from './secrets';
import { bindValue, hideSecret } from './value';

interface OverriddenVariables {
  /** The platform of the environment they belong to; without it they are the environment's own. */
  readonly platform?: string;
  /** Names of the variables of the design; absent where the file does not show them all. */
  readonly known?: readonly string[] | undefined;
}

export function bindVariables(
  scope: BindScope,
  body: MapNode | undefined,
  parent: DraftResource,
  { platform, known }: OverriddenVariables = {},
): readonly DraftResource[] {
  const hint = 'variables: { LOG_LEVEL: info }';
  return entriesBelow(scope, body, 'variables', 'a map of variables by name', hint).map((own) => {
    if (known && !known.includes(own.key)) reportUnknown(scope, own, known, platform);
    return bindVariable(scope, own, parent, platform);
  });
}

function reportUnknown(scope: BindScope, own: Entry, known: readonly string[], platform: string | undefined): void {
  const names = [...(platform === undefined ? [] : ['platforms', platform]), 'variables', own.key];
  if (reportAbsent(scope, { what: 'variable', names, isCertain: false }, own)) return;
  const [owner, place] =
    platform === undefined
      ? ['the assembly', 'at the top']
      : [`platform "${platform}"`, 'of the platform, unless its pack brings it'];
  scope.report.warning(
    own,
    'unknown-variable',
    `the file declares no variable "${own.key}" of ${owner}: an environment only gives another value to one the design has`,
    didYouMean(own.key, known, `declare it under variables ${place}`),
  );
}

function bindVariable(
  scope: BindScope,
  own: Entry,
  parent: DraftResource,
  platform: string | undefined,
): DraftResource {
  const isRecord = own.value.form === 'map' && !own.value.entries.some(({ key }) => key.startsWith('fn::'));
  const body = isRecord && own.value.form === 'map' ? own.value : undefined;
  const written = body ? filledEntry(body, 'value') : own;
  // A mask in place of a secret is reported as one.
  const value = written && bindValue(scope, written.value, { type: 'text' }, isMasked(written.value));
  const isSecret = value !== undefined && isSecretValue(scope, value);
  if (written && isSecret) hideSecret(scope, written.value);
  if (written && value !== undefined && !isSecret) reportReadableVariable(scope, own, written.value, value);
  const argument = isSecret ? 'encryptedValue' : 'value';
  return bindResource(scope, {
    kind: kindInFile('variables.*'),
    within: parent,
    address: { ...(platform === undefined ? {} : { platform }), name: own.key },
    own,
    body,
    structure: ['value'],
    given: { [argument]: value },
    givenEntries: { [argument]: written },
  });
}
