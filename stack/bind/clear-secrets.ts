// Secrets that a file contains in clear text: everybody who can read the file knows them. None is shown in a finding.
// It must not know which kinds there are.
import { SECRET_NAME, secretInText } from '../../provider';
import type { Entry, Node, ScalarNode } from '../reader/tree';
import { isExpression } from '../values/value';
import { isFailed, type Draft } from './draft';
import type { BindScope } from './scope';

const HINT = 'set it with pulumi config set --secret NAME, and write ${config.NAME}';

/** What a service writes in place of a secret: as a value it would overwrite the secret with itself. */
const MASKED = new Set(['::ENCRYPTED::', '--ENCRYPTED--']);

/** Whether a node is such a mask. */
export const isMasked = (node: Node): boolean => node.form === 'scalar' && MASKED.has(node.source);

/** A text that is what it says: neither a reference of the file nor one of the service. */
const isLiteral = (text: string): boolean => text.trim() !== '' && !/\$\{|\$OO_[A-Z]+\{/.test(text);

/** Warns when the value of something that is kept as a secret is written in the file. */
export function reportSecretInFile(scope: BindScope, { key, value }: Entry): void {
  if (value.form !== 'scalar' || value.value === null || isMasked(value) || !isLiteral(value.source)) return;
  scope.report.warning(value, 'secret-in-file', `"${key}" is a secret, but it is in clear text in the file`, HINT);
}

/** Warns when a text that is kept readable contains a private key, or an address with a password. */
export function reportSecretInside(scope: BindScope, node: ScalarNode): void {
  const found = secretInText(node.source);
  if (found === undefined) return;
  scope.report.hide(node.at);
  scope.report.warning(node, 'secret-in-file', `the text contains ${found} in clear`, HINT);
}

/** Warns about a readable variable whose name says that it is a secret. */
export function reportReadableVariable(scope: BindScope, { key }: Entry, place: Node, value: Draft): void {
  if (!SECRET_NAME.test(key) || isFailed(value)) return;
  if (isExpression(value)) {
    const hint = 'declare the configuration with "secret: true", or write { fn::secret: … }';
    scope.report.warning(
      place,
      'readable-variable',
      `"${key}" is readable, although its name says it is a secret`,
      hint,
    );
  } else if (
    typeof value === 'string' &&
    isLiteral(value) &&
    Number.isNaN(Number(value)) &&
    !/^(?:true|false)$/.test(value)
  )
    scope.report.warning(place, 'secret-in-file', `"${key}" has its value in clear text in the file`, HINT);
}
