// What is found of one record, from what the sources and the service say of it.
// It must not know how anything was read, nor which findings count.
import { snakeCase, valueIn, type SecretWrite, type State } from '../../provider';
import { attributesOf, type Attribute } from './attributes';
import { classify, type Writer } from './classify';
import { severityOf, type SeverityRule } from './severity';
import { findingId, UNTOLD, type Showing } from './shown';
import type { Advice, Author, Classification, DriftFinding, FilePlace, Shown } from './review';
import { writerOf } from './standing';
import type { Subject } from './subjects';
import type { Undeclared } from './undeclared';
import type { Undeployed } from './undeployed';

/** What all findings of a review are made with. */
export interface Making {
  readonly organization: string;
  readonly showing: Showing;
  readonly severities: readonly SeverityRule[];
  /** Whether a file, and a state, take part. */
  readonly hasCode: boolean;
  readonly hasState: boolean;
}

/** What the service says of a record. */
export interface Standing {
  /** Undefined when it is gone. */
  readonly live: State | undefined;
  /** Whose last write it is, as seen from ours. */
  readonly writer: Writer;
  /** Somebody else wrote it for certain, though not necessarily what we declare. */
  readonly wasWritten: boolean;
  readonly author?: Author | undefined;
  /** Who may have set an attribute, by its wire name, where that is not simply who wrote the record last. */
  readonly setter?: (wireName: string) => { readonly writer: Writer; readonly author: Author } | undefined;
  /** The write since ours that changed a secret, or may have, by the secret's wire name. */
  readonly writtenSecret?: (wireName: string) => SecretWrite | undefined;
}

/** Everything to be said of one record; nothing when it is in sync. */
export function findingsOf(making: Making, subject: Subject, standing: Standing): readonly DriftFinding[] {
  const { live, author } = standing;
  const { code, applied } = subject;
  const { hasCode, hasState } = making;
  const whole = (classification: Classification): DriftFinding =>
    finding(making, subject, { classification, author: classification === 'pending' ? undefined : author });
  const isLeaving = hasCode && code === undefined;
  if (live === undefined) {
    if (hasState && applied === undefined) return [whole('pending')];
    return [whole(isLeaving ? 'healed' : 'deleted')];
  }
  if (hasState && applied === undefined) return [whole('pending')];
  const sides = [code, applied].filter((side) => side !== undefined);
  const attributes = attributesOf(subject.kind, sides).filter(({ path }) => !isIgnored(subject, path));
  const differing = attributes.flatMap((attribute) => differenceOf(making, subject, standing, live, attribute));
  const names = new Set(differing.map(({ attribute }) => attribute));
  const hasMoved = differing.some(({ classification }) => classification !== 'pending');
  const unseen = attributes
    .filter(({ path }) => !names.has(path.join('.')))
    .flatMap((attribute) => unseenOf(making, subject, standing, attribute, hasMoved));
  const found = [...(isLeaving ? [whole('pending')] : []), ...differing, ...unseen];
  const isTouched = standing.wasWritten && attributes.length > 0 && !hasMoved && unseen.length === 0;
  return isTouched ? [...found, whole('touched')] : found;
}

/** The engine is told to ignore what becomes of it, at this path or above. */
const isIgnored = ({ code }: Subject, path: readonly string[]): boolean =>
  code?.ignored.some((each) => each === path.join('.') || each === path[0]) ?? false;

/** The service's own name of an attribute: an entry of an open map has it already. */
const wireNameOf = ([argument = '', entry]: readonly string[]): string => entry ?? snakeCase(argument);

function differenceOf(
  making: Making,
  subject: Subject,
  standing: Standing,
  live: State,
  attribute: Attribute,
): readonly DriftFinding[] {
  const { path, shape, secret, writeOnly } = attribute;
  const { writer, author } = standing.setter?.(wireNameOf(path)) ?? standing;
  const { code, applied } = subject;
  const own = {
    ...(code ? { code: { value: valueIn(code.inputs, path) } } : {}),
    ...(applied ? { applied: { value: valueIn(applied.inputs, path) } } : {}),
  };
  const handedBack = (own.applied ?? own.code)?.value;
  const values = { ...own, live: { value: writeOnly ? handedBack : valueIn(live.inputs, path) } };
  const classification = classify(shape, values, writer);
  if (classification === undefined) return [];
  const show = (side: { readonly value: unknown } | undefined): Shown | undefined =>
    side && making.showing.show(shape, side.value, secret);
  return [
    finding(making, subject, {
      classification,
      path,
      secret,
      code: show(values.code),
      applied: show(values.applied),
      live: show(values.live),
      author: classification === 'pending' ? undefined : author,
    }),
  ];
}

/**
 * A secret that no read shows, and that somebody wrote or may have written: what a refresh finds, too. It counts as drift when the change is certain,
 * or when another user wrote the record and nothing else explains that. `isExplained`: another attribute of the record moved.
 */
function unseenOf(
  making: Making,
  subject: Subject,
  { writtenSecret, author }: Standing,
  { path, shape }: Attribute,
  isExplained: boolean,
): readonly DriftFinding[] {
  const write = writtenSecret?.(wireNameOf(path));
  if (write === undefined) return [];
  const { by: who, at: when, isCertain, isOwn } = write;
  const { code, applied } = subject;
  const show = (side: { readonly inputs: { readonly [name: string]: unknown } } | undefined): Shown | undefined =>
    side && making.showing.show(shape, valueIn(side.inputs, path), true);
  const counts = isCertain || !(isExplained || isOwn);
  const classification: Classification = !counts ? 'touched' : isOwn ? 'changed-by-own-user' : 'changed';
  const writer = author?.who === who ? author : { who, when };
  const about = { classification, path, secret: true, code: show(code), applied: show(applied), live: UNTOLD };
  return [finding(making, subject, { ...about, author: writer })];
}

/** A record that nobody declares. */
export function undeclaredFinding(making: Making, { kind, id, record }: Undeclared): DriftFinding {
  const classification = 'undeclared';
  const severity = severityOf(making.severities, { kind: kind.token, classification });
  const own = findingId(making.organization, kind.token, id, undefined);
  return {
    id: own,
    classification,
    severity,
    kind: kind.token,
    address: id,
    author: writerOf(record),
    advice: adviceOn(classification, { id: own, subject: `${kind.token}:${id}`, isAttribute: false, isHidden: false }),
  };
}

/** A record of which what was written does not run; `live` is what is seen instead. */
export function undeployedFinding(making: Making, { subject, live, author, counts }: Undeployed): DriftFinding {
  const is = (value: string): Shown => ({ is: 'value', value });
  return finding(making, subject, {
    classification: counts ? 'undeployed' : 'touched',
    path: ['state'],
    applied: is('complete'),
    live: is(live),
    author,
  });
}

interface About {
  readonly classification: Classification;
  readonly path?: readonly string[];
  readonly secret?: boolean;
  readonly code?: Shown | undefined;
  readonly applied?: Shown | undefined;
  readonly live?: Shown | undefined;
  readonly author?: Author | undefined;
}

function finding(making: Making, { kind, id: address, code, applied }: Subject, about: About): DriftFinding {
  const { classification, path, secret, author } = about;
  const attribute = path?.join('.');
  const id = findingId(making.organization, kind.token, address, attribute);
  const at: FilePlace | undefined =
    (attribute === undefined ? undefined : code?.places.get(attribute)) ??
    (path?.[0] === undefined ? undefined : code?.places.get(path[0])) ??
    code?.at ??
    applied?.at;
  const severity = severityOf(making.severities, {
    kind: kind.token,
    attribute,
    classification,
    secret: secret === true,
  });
  const logicalName = (code ?? applied)?.logicalName;
  return {
    id,
    classification,
    severity,
    kind: kind.token,
    address,
    ...(logicalName === undefined ? {} : { logicalName }),
    ...(applied ? { urn: applied.urn } : {}),
    ...(attribute === undefined ? {} : { attribute }),
    ...(about.code ? { code: about.code } : {}),
    ...(about.applied ? { applied: about.applied } : {}),
    ...(about.live ? { live: about.live } : {}),
    ...(author ? { author } : {}),
    ...(at ? { at } : {}),
    advice: adviceOn(classification, {
      id,
      subject: `${kind.token}:${address}`,
      isAttribute: attribute !== undefined,
      isHidden: about.live?.is === 'secret' || about.live?.is === 'unknown',
      at,
    }),
  };
}

/** What is known of a finding when it is decided what can be done about it. */
export interface Advised {
  readonly id: string;
  /** `Component:acme/shop/web/tomcat`, as `import-file` takes it. */
  readonly subject: string;
  readonly isAttribute: boolean;
  /** The live value is a secret, or not known: nobody can write it into a file. */
  readonly isHidden: boolean;
  readonly at?: FilePlace | undefined;
}

/** What can be done about a finding; where no command of ours does it, Pulumi's is named, or what to edit. */
export function adviceOn(classification: Classification, { id, subject, isAttribute, isHidden, at }: Advised): Advice {
  const place = at ? ` at ${at.file}:${at.line}` : '';
  const isProgram = at !== undefined && !/\.ya?ml$/i.test(at.file);
  const ours = (verb: 'revert' | 'accept'): Step => commandStep(`pulumi-oneops drift ${verb} ${id}`);
  const accept = isProgram ? { text: `write it into the program${place}` } : ours('accept');
  switch (classification) {
    case 'changed':
    case 'changed-by-own-user':
    case 'normalised':
      return advice({ revert: ours('revert'), ...(isHidden ? {} : { accept }) });
    case 'conflict':
      return advice({
        revert: { text: `pulumi up --refresh: what the file says${place} wins`, command: 'pulumi up --refresh' },
        ...(isHidden ? {} : { accept }),
      });
    case 'deleted':
      return advice({
        revert: ours('revert'),
        accept: isProgram
          ? { text: `take it out of the program${place}, and run pulumi up --refresh` }
          : ours('accept'),
      });
    case 'undeployed':
      return advice({
        revert: {
          text: 'pulumi up --refresh goes on from where it stopped, and deploys it',
          command: 'pulumi up --refresh',
        },
      });
    case 'undeclared': {
      const command = `pulumi-oneops import-file ${subject}`;
      return advice({ accept: { text: `declare it, and import it: ${command}`, command } });
    }
    case 'touched':
      return isAttribute
        ? advice({
            revert: {
              text: 'pulumi up --refresh writes the declared value again',
              command: 'pulumi up --refresh',
            },
          })
        : { accept: 'nothing we declare differs: ask whoever wrote it; it is reported until our next write' };
    case 'pending':
      return advice({ accept: { text: 'pulumi up applies it', command: 'pulumi up' } });
    case 'healed':
      return advice({
        accept: {
          text: 'pulumi up --refresh takes note of it, and deploys it',
          command: 'pulumi up --refresh',
        },
      });
  }
}

/** A sentence, and the command in it where there is one. */
interface Step {
  readonly text: string;
  readonly command?: string;
}

const commandStep = (command: string): Step => ({ text: command, command });

function advice({ revert, accept }: { readonly revert?: Step; readonly accept?: Step }): Advice {
  return {
    ...(revert ? { revert: revert.text } : {}),
    ...(accept ? { accept: accept.text } : {}),
    commands: {
      ...(revert?.command === undefined ? {} : { revert: revert.command }),
      ...(accept?.command === undefined ? {} : { accept: accept.command }),
    },
  };
}
