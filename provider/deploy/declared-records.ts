// The records of an assembly that this run declares, and that earlier runs made: what other people may have taken away.
import { addressOf, scopeAt, type Address, type Kind } from '../kind';
import { isReference } from '../refer';
import { declaredKey } from '../session';
import type { Work } from '../model';

/** A declared record. */
export interface DeclaredRecordOf {
  /** In its scope. */
  readonly of: Kind;
  readonly key: string;
  readonly address: Address;
  /** `platform`, `component`. */
  readonly noun: string;
  /** `web/deployer`, `web/deployer/motd`, `$LEVEL`. */
  readonly path: string;
  /** Whether this run makes, replaces or has read it. */
  readonly isSeen: boolean;
}

/** The records of the design that this run declares in the assembly of a work, without those that it only refers to. */
export function declaredInDesign(work: Work): readonly DeclaredRecordOf[] {
  const { declarations, records, kinds } = work.session;
  const byToken = new Map(kinds.map((of) => [of.token, of]));
  return declarations.all().flatMap(([key, inputs]) => {
    const of = byToken.get(key.split(' ')[0] ?? '');
    const scope = of && scopeAt(of, inputs);
    if (scope?.stage !== 'design' || inputs['assembly'] !== work.at['assembly'] || isReference(inputs)) return [];
    const address = addressOf(scope, inputs);
    const { platform, component, name = '' } = address;
    const noun = scope.token.toLowerCase();
    const own = noun === 'variable' ? `$${name}` : name;
    const path = [platform, component, own].filter((part) => part !== undefined).join('/');
    const isSeen = declarations.isNew(key) || records.isMade(key) || records.isReplaced(key) || records.isRead(key);
    return [{ of: scope, key: declaredKey(scope, address), address, noun, path, isSeen }];
  });
}
