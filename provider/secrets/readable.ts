// What is said of a secret that is where the service keeps and answers it in clear.
// It must not know how a program or a file marks secrets.
import { warning, type Diagnostic } from '../../api/contract';
import { fieldOf, type Kind } from '../kind';
import { secretAttributes } from './attributes';
import type { Inputs } from '../check';

/** Who reads the records of a stage, and where a secret belongs instead. */
const READERS: { readonly [S in Kind['stage']]: string } = {
  design: 'everybody who may read the assembly',
  environment: 'everybody who may read the assembly',
  none: 'everybody who may read the record',
};

/**
 * A warning when a secret at `path` of a kind's arguments is stored in clear; undefined where the service encrypts it or keeps nothing of it.
 * `inputs` show the class of the record, on which it depends which attributes are encrypted.
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
    `"${word}" is given a secret, but the service does not encrypt it: ${READERS[of.stage]} can read it`,
    of.stage === 'none'
      ? 'take the secret out of it'
      : 'keep the secret in a secret variable of the assembly, and write $OO_GLOBAL{NAME} here',
  );
}
