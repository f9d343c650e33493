// Records of an assembly that this run declares and earlier runs made: others may take them.
import { memberPath } from '../address/member-path';
import type { Address, Kind, Work } from '../kind';
import { isReference } from '../lifecycle/refer';
import { serviceStamp } from '../secrets/writes';
import { isIgnored } from '../lifecycle/ignored';
import { declaredIn, type DeclaredInRun } from '../session';
import { type Declared, declaredValues } from '../values/wire';
import { wordsAt } from '../values/plain';

export interface DeclaredRecordOf {
  /** In its scope. */
  readonly of: Kind;
  readonly address: Address;
  readonly name: string;
  /** `platform`, `component`, `cloud` for how a platform uses one. */
  readonly noun: string;
  /** `web/deployer`, `web/deployer/motd`, `$LEVEL`, `web/east`. */
  readonly path: string;
  /** 0 before it was made. */
  readonly ciId: number;
  /** Number of the last change of it that this stack made; 0 where it is not known. */
  readonly stamp: number;
  /** Whether this run makes or replaces it. */
  readonly isMade: boolean;
  /** Whether it is another stack's. */
  readonly isReferred: boolean;
  /** The memory of this run: its arguments, and its outputs of the last run. */
  readonly memory: DeclaredInRun<Kind>;
}

/** The declared values of a record, by wire name. */
export const valuesOf = ({ of, memory: { inputs } }: DeclaredRecordOf): ReadonlyMap<string, Declared> =>
  declaredValues(of, inputs);

/** Whether this run neither compares nor writes a value that a record declares. */
export const ignores = ({ memory: { ignored = [] } }: DeclaredRecordOf, name: string, value: Declared): boolean =>
  isIgnored(name, value, ignored);

/** The records of a design that this run declares in the assembly of a work; `records`: others. */
export const declaredInDesign = (work: Work, records?: readonly DeclaredInRun<Kind>[]): readonly DeclaredRecordOf[] =>
  declaredOf(work, 'design', records);

export const declaredInEnvironment = (work: Work): readonly DeclaredRecordOf[] =>
  declaredOf({ ...work, at: environmentAt(work) }, 'environment');

/** Where the environment of a work is, which may be the environment itself. */
const environmentAt = ({ at, address }: Work): Work['at'] => ({ environment: address['name'] ?? '', ...at });

function declaredOf(
  { session, at }: Work,
  stage: 'design' | 'environment',
  records: readonly DeclaredInRun<Kind>[] = declaredIn(session),
): readonly DeclaredRecordOf[] {
  return records.flatMap((memory) => {
    const { of, address, inputs, known, isMade, replaced, isAskedAgain } = memory;
    if (of.stage !== stage || address['assembly'] !== at['assembly']) return [];
    if (stage === 'environment' && address['environment'] !== at['environment']) return [];
    const noun = of.token.replace(/^Environment|Configuration$/, '').toLowerCase();
    const { name = address[noun] ?? '' } = address;
    return [
      {
        of,
        address,
        name,
        noun,
        path: memberPath(of, address).replace(/[+!]/g, ''),
        memory,
        ciId: Number(known?.['ciId'] ?? 0),
        stamp: Number(serviceStamp(known?.['revision'])) || 0,
        isMade: known === undefined || isMade === true || replaced !== undefined || isAskedAgain === true,
        isReferred: isReference(inputs),
      },
    ];
  });
}

/** Names of the platforms that a deployment has as declared to be down. */
export const downOnPurpose = ({ args }: Pick<Work, 'args'>): ReadonlySet<string> => new Set(wordsAt(args, 'down'));
