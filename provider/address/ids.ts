// Ids of records, and addresses as paths have them.
import { addressNames, addressOf, argumentFor, pathNames, scopeAt, scopesOf, type Address, type Kind } from '../kind';
import { holdsUnknown, oncePer, type Texts, type Values } from '../values/plain';
import { isSegment, type Record as WireRecord } from '../../api/contract';

/** Address with the path's own parameter names, organization included, for filling the path. */
export function pathAddress(of: Kind, organization: string, address: Address): Texts {
  const own = pathNames(of).at(-1) as string;
  const { name, ...parents } = address;
  return { organization, ...parents, ...(of.named && name !== undefined ? { [own]: name } : {}) };
}

/** The address of the record that contains another one; undefined in the organization. */
export function parentAddress(of: Kind, address: Address): Address | undefined {
  const { within } = of;
  if (within === undefined) return undefined;
  const parameters = pathAddress(of, '', address);
  const names = pathNames(within);
  return Object.fromEntries(
    addressNames(within).map((name, index) => [name, parameters[names[index] as string] ?? '']),
  );
}

/** The address arguments that records in a record have. */
export const inside = (of: Kind, { name, ...outer }: Address): Address =>
  name === undefined ? outer : { ...outer, [argumentFor(of)]: name };

/** Whether a record is, or is in, what arguments name: `{ assembly: 'shop', platform: 'web' }`. */
export function isWithin(of: Kind, address: Address, around: Address): boolean {
  const own = inside(of, address);
  return Object.entries(around).every(([argument, word]) => own[argument] === word);
}

/** A kind, and the address of one of its records. */
export interface Placed {
  readonly of: Kind;
  readonly address: Address;
}

/** The records that contain another one, the nearest first. */
export function recordsAbove(of: Kind, address: Address): readonly Placed[] {
  const parent = parentAddress(of, address);
  if (of.within === undefined || parent === undefined) return [];
  return [{ of: of.within, address: parent }, ...recordsAbove(of.within, parent)];
}

/** The id of an address: its parts below the organization, with scope words (architecture §2). */
export function formatId(of: Kind, organization: string, address: Address): string {
  const parts = idParts(of).map((part) => (part.isName ? (address[part.word] as string) : part.word));
  return [organization, ...parts].join('/');
}

/** The kind in its scope and the id of a record, by its arguments; undefined where a name is not known yet. */
export function recordBy(
  kind: Kind,
  organization: string,
  args: Values,
): { readonly kind: Kind; readonly id: string } | undefined {
  const scope = scopeAt(kind, args) ?? kind;
  if (addressNames(scope).some((name) => typeof args[name] !== 'string' || holdsUnknown(args[name]))) return undefined;
  return { kind: scope, id: formatId(scope, organization, addressOf(scope, args)) };
}

/** Parses an id of the kind's own scope back; undefined when it has not its form. */
export function parseId(
  of: Kind,
  id: string,
): { readonly organization: string; readonly address: Address } | undefined {
  const [organization, ...parts] = id.split('/');
  const wanted = idParts(of);
  if (organization === undefined || parts.length !== wanted.length || !parts.every(isSegment)) return undefined;
  if (wanted.some(({ isName, word }, index) => !isName && parts[index] !== word)) return undefined;
  const names = wanted.flatMap(({ isName, word }, index) => (isName ? [[word, parts[index] as string] as const] : []));
  return { organization, address: Object.fromEntries(names) };
}

interface IdPart {
  readonly word: string;
  /** Whether the word is the name of an address argument, not a word of the id itself. */
  readonly isName: boolean;
}

const idParts: (of: Kind) => readonly IdPart[] = oncePer((of) =>
  of.id === undefined
    ? addressNames(of).map((word) => ({ word, isName: true }))
    : of.id.split('/').map((part) => ({ word: part.replace(/[{}]/g, ''), isName: part.startsWith('{') })),
);

/** The kind in the scope an id is of; undefined for an id of another form. */
export const scopeOfId = (of: Kind, id: string): Kind | undefined =>
  scopesOf(of).find((scope) => parseId(scope, id) !== undefined);

/** Address arguments that make the logical name, where it is not the path in the assembly. */
const LOGICAL_NAMES: { readonly [token: string]: readonly string[] } = {
  Attachment: ['platform', 'name'],
  EnvironmentComponent: ['environment', 'platform', 'component'],
  EnvironmentAttachment: ['environment', 'platform', 'name'],
};

/** The logical name under which a stack file declares a record. */
export function declaredName({ of, id }: { readonly of: Kind; readonly id: string }): string {
  const scope = scopeOfId(of, id) ?? of;
  const { address = {} } = parseId(scope, id) ?? {};
  const parts = LOGICAL_NAMES[of.token];
  if (parts) return parts.map((name) => address[name]).join('/');
  const [, first = '', ...rest] = id.split('/');
  const isInAssembly = 'assembly' in address && rest.length > 0;
  return (isInAssembly ? rest : [first, ...rest]).join('/');
}

// What the namespace and the name of a record say of its place (service-facts §2.1.7).

/** The platform of a record: `web` of `/acme/shop/_design/web` and `/acme/shop/prod/bom/web/1`. */
export function platformOf({ nsPath }: { readonly nsPath?: string | null | undefined }): string {
  const [, , , environment, stage, platform] = (nsPath ?? '').split('/');
  return (environment === '_design' ? stage : platform) ?? '';
}

/** `web/1`: a platform by name and major version; an environment may contain several versions. */
export const versionOf = ({ ciName, ciAttributes }: Pick<WireRecord, 'ciName' | 'ciAttributes'>): string =>
  `${ciName}/${ciAttributes['major_version'] || '1'}`;

/** The same of what is in a platform of an environment, or runs of it. */
export const versionIn = ({ nsPath }: { readonly nsPath: string }): string => nsPath.split('/').slice(5, 7).join('/');

/** The component of an instance, by its name: `compute` of `compute-1129-1`. */
export const componentOf = ({ ciName }: { readonly ciName: string }): string => ciName.replace(/-\d+-\d+$/, '');
