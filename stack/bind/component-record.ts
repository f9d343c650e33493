// A component as a record, of a design or of an environment: its template, and its attributes as its class has them.
// It must not know what is below a component, nor how components are distinguished from attributes.
import type { ClassMetadata, Diagnostic } from '../../api/contract';
import { judgeAttributes, type Kind } from '../../provider';
import type { Entry } from '../reader/tree';
import type { ResourceKey } from '../values/value';
import { bindAttributes } from './class-attributes';
import type { WrittenComponent } from './component-form';
import type { Draft } from './draft';
import { bindResource, checkableArguments, type DraftResource } from './resource';
import type { BindScope } from './scope';
import { COMPONENT_PARTS, keysOf } from './vocabulary';

/** Where a component is, and what it is called there. */
interface ComponentPlace {
  readonly kind: Kind;
  readonly logicalName: string;
  readonly names: readonly string[];
  readonly address: { readonly [name: string]: string };
  /** Keys next to attributes. */
  readonly ours: readonly string[];
  readonly within: ResourceKey;
  /** The platform of the design. */
  readonly platform: Pick<DraftResource, 'args'>;
}

/** Binds a component as a record. */
export function bindComponentRecord(scope: BindScope, written: WrittenComponent, place: ComponentPlace): DraftResource {
  const { template, metadata, own, body } = written;
  const { kind, logicalName, names, address, within, ours, platform } = place;
  const spread = (body?.entries ?? []).filter(({ key }) => !ours.includes(key));
  const { attributes, secrets } = bindAttributes(scope, spread, metadata, ours);
  const known = keysOf(kind);
  return bindResource(scope, {
    kind,
    logicalName,
    names,
    address,
    within,
    own,
    body,
    structure: [...COMPONENT_PARTS, ...spread.map(({ key }) => key)],
    given:
      spread.length > 0 && Object.keys(attributes).length > 0 ? { type: template, attributes } : { type: template },
    spread,
    secrets: secrets.map((steps) => ['attributes', ...steps]),
    parent: platform.args,
    judged:
      scope.templateClass(template, packOf(platform)) === undefined ? byWrittenClass(scope, metadata, attributes) : [],
    isAttribute: (word) => (metadata ? metadata.attributes[word] !== undefined : !known.includes(word)),
  });
}

/** Where only the file says which class a template makes, its attributes are judged by that class. */
const byWrittenClass = (
  { known }: BindScope,
  metadata: ClassMetadata | undefined,
  attributes: { readonly [name: string]: Draft },
): readonly Diagnostic[] =>
  metadata === undefined
    ? []
    : judgeAttributes(metadata, checkableArguments(attributes), [], known).map((finding) => ({
        ...finding,
        path: ['attributes', ...finding.path],
      }));

/** Bare name of a platform's pack, where it is plain text. */
export const packOf = ({ args }: Pick<DraftResource, 'args'>): string | undefined =>
  typeof args.pack === 'string' ? args.pack : undefined;

/** Components of one platform by name: the service lets two classes share one, but ids and attachments would be ambiguous (flows §3.3). */
export function uniqueNames(scope: BindScope, written: readonly WrittenComponent[]): readonly WrittenComponent[] {
  const first = new Map<string, WrittenComponent>();
  return written.filter((each) => {
    const before = first.get(each.name) ?? first.get(`${each.template}/${each.name.toLowerCase()}`);
    if (!before) {
      first.set(`${each.template}/${each.name.toLowerCase()}`, each);
      return first.set(each.name, each);
    }
    scope.report.error(
      each.own,
      'duplicate-component',
      `a component "${before.name}" is in this platform already`,
      `the first is at ${lineAndColumn(before.own)}`,
    );
    return false;
  });
}

/** Line and column of an entry, for hints. */
export const lineAndColumn = ({ at }: Entry): string => `${at.start.line}:${at.start.column}`;
