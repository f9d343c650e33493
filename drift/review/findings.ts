// Finds the differences of one record, from the file, the state and the service.
import { createHash } from 'node:crypto';
import { distinguishedBy } from '../../provider';
import { assembly, environment, kindOf } from '../../provider/kinds';
import type { State } from '../../provider/lifecycle';
import { valueIn, withValuesAt, matchesAny, defined } from '../../provider/values';
import { comparedAttributes, classify, wireNameOf, type Attribute, UNKNOWN_SECRET, type Redact } from './compare';
import { authorOf, recordAuthor, type ReviewedRecord } from './authors';
import { type Advice, type Classification, type DriftFinding, type Severity, type Shown } from './review';
import { type SeverityRule, attributeSpellings } from '../../stack';
import { ignoredBelow, isIgnored, nearestPlace, type Subject } from './sources';
import type { MadeAgain } from './reading';
import type { Undeclared, UnexpectedRecord } from './undeclared';
import type { Undeployed } from './undeployed';
import { changePath, changesText, type WaitingInDesign } from './waiting';

export interface ReviewContext {
  readonly organization: string;
  /** Values as reports may show them. */
  readonly redact: Redact;
  readonly severities: readonly SeverityRule[];
  /** Whether a file, and a state, take part. */
  readonly hasCode: boolean;
  readonly hasState: boolean;
}

/**
 * All findings of one record. `isOthers`: another user made a declared one that the state lacks.
 * `again`: what somebody made in its place.
 */
export function findingsOf(
  context: ReviewContext,
  record: ReviewedRecord,
  { isOthers, again }: { readonly isOthers: boolean; readonly again: MadeAgain | undefined },
): readonly DriftFinding[] {
  const { subject, live, lastWrite } = record;
  const { code, applied } = subject;
  const whole = (classification: Classification): DriftFinding =>
    finding(context, subject, {
      classification,
      author: classification === 'pending' ? undefined : lastWrite.author,
      again,
    });
  const leaves = isLeaving(context, subject);
  if (context.hasState && applied === undefined) return [whole(isOthers ? 'undeclared' : 'pending')];
  if (live === undefined) return [whole(leaves ? 'healed' : 'deleted')];
  const sides = [code, applied].filter((side) => side !== undefined);
  const attributes = comparedAttributes(subject.kind, sides).filter(({ path }) => !isIgnored(subject, path));
  const differing = attributes.flatMap((attribute) => differenceOf(context, record, live, attribute));
  const names = new Set(differing.map(({ attribute }) => attribute));
  const hasMoved = differing.some(({ classification }) => classification !== 'pending');
  const unseen = attributes
    .filter(({ path }) => !names.has(path.join('.')))
    .flatMap((attribute) => unseenOf(context, record, attribute, hasMoved));
  const found = [...(leaves ? [whole('pending')] : []), ...differing, ...unseen];
  const isTouched = lastWrite.wasWritten && attributes.length > 0 && !hasMoved && unseen.length === 0;
  return isTouched ? [...found, whole('touched')] : found;
}

function differenceOf(
  context: ReviewContext,
  record: ReviewedRecord,
  live: State,
  { path, shape, secret, writeOnly }: Attribute,
): readonly DriftFinding[] {
  const { subject } = record;
  const { writer, author } = authorOf(record, path);
  const { code, applied } = subject;
  const [fromCode, fromState] = [code, applied].map((side) => side && valueIn(side.inputs, path));
  const seen = writeOnly ? (applied ? fromState : fromCode) : valueIn(live.inputs, path);
  // What the program ignores within the attribute counts as the same on all sides.
  const ignored = ignoredBelow(subject, path);
  const values = {
    ...(code ? { code: { value: withValuesAt(fromCode, seen, ignored) } } : {}),
    ...(applied ? { applied: { value: withValuesAt(fromState, seen, ignored) } } : {}),
    live: { value: seen },
  };
  const classification = classify(shape, values, writer);
  if (classification === undefined) return [];
  const show = (side: { readonly value: unknown } | undefined): Shown | undefined =>
    side && context.redact(shape, side.value, secret);
  const shown = { path, secret, code: show(values.code), applied: show(values.applied), live: show(values.live) };
  const by = classification === 'pending' ? undefined : author;
  return [finding(context, subject, { ...shown, classification, author: by })];
}

/**
 * A secret that no read shows, and that may have been written. It counts as drift when that is
 * certain, or another user wrote the record and nothing else explains it (`isExplained`).
 */
function unseenOf(
  context: ReviewContext,
  { subject, lastWrite: { writtenSecret, author } }: ReviewedRecord,
  { path, shape }: Attribute,
  isExplained: boolean,
): readonly DriftFinding[] {
  const write = writtenSecret(wireNameOf(path));
  if (write === undefined) return [];
  const { who, when, isCertain, isOwn } = write;
  const [code, applied] = [subject.code, subject.applied].map(
    (side) => side && context.redact(shape, valueIn(side.inputs, path), true),
  );
  const counts = isCertain || !(isExplained || isOwn);
  return [
    finding(context, subject, {
      classification: !counts ? 'touched' : isOwn ? 'changed-by-own-user' : 'changed',
      ...{ path, secret: true, code, applied, live: UNKNOWN_SECRET },
      author: author?.who === who ? author : { who, when },
    }),
  ];
}

export const undeclaredFinding = (
  context: ReviewContext,
  { kind, id, record, isElsewhere, isNamesake }: Undeclared,
): DriftFinding =>
  finding(
    context,
    { kind, id },
    {
      classification: 'undeclared',
      author: recordAuthor(record),
      elsewhere: isElsewhere ? true : undefined,
      isKept: isElsewhere || isNamesake,
      mayBeGiven: kind.found !== undefined && 'list' in kind.found && kind.found.list.isGiven !== undefined,
    },
  );

export function unexpectedFindings(
  context: ReviewContext,
  { record, within, values }: UnexpectedRecord,
): readonly DriftFinding[] {
  return values.map(({ value: { path, shape, secret, base, live, isRecorded }, setIn, takesAway }) => {
    const { author, writer } = authorOf(record, path);
    return finding(context, record.subject, {
      classification: 'unexpected',
      path,
      secret,
      expected: context.redact(shape, base, secret),
      live: context.redact(shape, live, secret),
      // What our last write left alone was there before it, also next to a declared value.
      author:
        author && (setIn === undefined || writer === 'nobody' || (writer === 'own-user' && path.length > 2))
          ? { ...author, unsure: [] }
          : author,
      setIn,
      isRecorded,
      takesAway,
      // Nobody declares it: what it is in is declared.
      at: within.code?.at ?? within.applied?.at,
    });
  });
}

/** A record whose last write does not run; `live` is what was found instead. */
export const undeployedFinding = (
  context: ReviewContext,
  { subject, counts, applied, live, ...about }: Undeployed,
): DriftFinding =>
  finding(context, subject, {
    ...about,
    classification: counts ? 'undeployed' : 'touched',
    applied: applied === undefined ? undefined : word(applied),
    live: word(live),
  });

const word = (value: string): Shown => ({ is: 'value', value });

/** A committed release of a design that no environment of the stack has yet, or an open release. */
export function releaseFinding(context: ReviewContext, waiting: WaitingInDesign): DriftFinding {
  const { of, address: id, releaseId, who = '', when = 0, environments, isOpen = false, isUnseen } = waiting;
  const where = isOpen ? `is open in the ${of}, not committed` : `waits to be deployed to ${environments.join(', ')}`;
  const found = finding(
    context,
    { kind: of === 'design' ? assembly : environment, id },
    {
      classification: 'undeployed',
      path: ['releases', String(releaseId)],
      live: word(`${where}: ${changesText(waiting.members)}`),
      author: { who, when, releaseId, stage: isOpen ? 'design' : 'released' },
      // Another user's change of what nobody declares is drift: no run deploys it for its own sake.
      waits: waiting.isUndeclared && !isOpen ? undefined : true,
      byHand: isOpen
        ? `pulumi-oneops discard ${id} shows all that is open, and discards it; commit it to keep it`
        : isUnseen
          ? 'pulumi up deploys it with the next change of the design; to deploy it now, declare in the file what it changes'
          : undefined,
    },
  );
  return waiting.isElsewhere ? { ...found, severity: 'low', elsewhere: true } : found;
}

/** A record written without a declared difference waits, too, unless its release has a row. */
export function withWaiting(finding: DriftFinding, waiting: readonly WaitingInDesign[]): DriftFinding {
  const { classification, author } = finding;
  if (classification !== 'touched' || !['design', 'released'].includes(author?.stage ?? '')) return finding;
  const hasRow = waiting.some((release) =>
    release.members?.some((member) => changePath(finding) === `${release.address}/${member.slice(1)}`),
  );
  return hasRow ? finding : { ...finding, waits: true };
}

type Possible<T> = { readonly [name in keyof T]?: T[name] | undefined };

interface About extends Possible<
  Pick<DriftFinding, 'code' | 'applied' | 'expected' | 'live' | 'author' | 'setIn' | 'waits' | 'elsewhere' | 'at'>
> {
  readonly classification: Classification;
  readonly path?: readonly string[];
  readonly secret?: boolean;
  readonly isRecorded?: boolean;
  readonly takesAway?: boolean | undefined;
  /** The way to restore it, if no command does. */
  readonly byHand?: string | undefined;
  /** Whether no command of ours deletes it, although nobody declares it. */
  readonly isKept?: boolean;
  /** Whether such a record may have come with its parent. */
  readonly mayBeGiven?: boolean;
  /** The record that somebody made in place of a deleted one. */
  readonly again?: MadeAgain | undefined;
}

/** Whether the state has a record that the file no longer declares. */
export const isLeaving = ({ hasCode }: ReviewContext, { code, applied }: Subject): boolean =>
  hasCode && code === undefined && applied !== undefined;

function finding(context: ReviewContext, subject: Subject, about: About): DriftFinding {
  const { organization, severities } = context;
  const { kind: of, id: address, code, applied } = subject;
  const { classification, path, secret, isRecorded, takesAway, byHand, isKept, mayBeGiven, again, ...sides } = about;
  const kind = of.token;
  const attribute = path?.join('.');
  // The same in every review.
  const named = JSON.stringify([organization, kind, address, attribute ?? null]);
  const id = createHash('sha256').update(named).digest('hex').slice(0, 10);
  const placed = nearestPlace(path ?? [], (name) => code?.places.get(name));
  const at = placed ?? code?.at ?? applied?.at ?? sides.at;
  const isHidden = sides.live?.is === 'secret' || sides.live?.is === 'unknown';
  return {
    id,
    classification,
    severity: severityOf(severities, { ...about, kind, attribute }),
    kind,
    address,
    ...defined({ logicalName: (code ?? applied)?.logicalName, urn: applied?.urn, attribute }),
    ...defined({ ...sides, madeAgainBy: again?.by, recorded: isRecorded ? (true as const) : undefined, at }),
    advice: adviceOn({
      ...about,
      id,
      subject: `${kind}:${again && distinguishedBy(of) ? address.replace(/[^/]*$/, String(again.ciId)) : address}`,
      isAttribute: attribute !== undefined,
      isHidden,
      isLeaving: isLeaving(context, subject),
      at,
    }),
  };
}

interface AdvisedFinding extends About {
  readonly id: string;
  /** `Component:acme/shop/web/tomcat`, as `import-file` takes it. */
  readonly subject: string;
  readonly isAttribute: boolean;
  /** The live value is a secret, or not known: it cannot be written into a file. */
  readonly isHidden: boolean;
  readonly isLeaving?: boolean;
}

/** A sentence, and the command in it where there is one. */
interface Step {
  readonly text: string;
  readonly command?: string;
}

/** The ways to settle a finding: our command, else Pulumi's, or what to edit. */
export function adviceOn(finding: AdvisedFinding): Advice {
  const { classification, id, subject, isHidden, isLeaving, byHand, at, again } = finding;
  if (isLeaving && byHand === undefined)
    return advice(undefined, step('pulumi up', ' applies the file, which no longer declares it'));
  const place = at ? ` at ${at.file}:${at.line}` : '';
  const isProgram = at !== undefined && !/\.ya?ml$/i.test(at.file);
  const revert = step(`pulumi-oneops drift revert ${id}`);
  const accept = step(`pulumi-oneops drift accept ${id}`);
  const written = isProgram ? { text: `write it into the program${place}` } : accept;
  switch (classification) {
    case 'changed':
    case 'changed-by-own-user':
    case 'normalised':
    case 'unexpected':
      return advice(revert, isHidden ? undefined : written);
    case 'conflict':
      return advice(step('pulumi up --refresh', `: what the file says${place} wins`), isHidden ? undefined : written);
    case 'deleted': {
      if (again !== undefined) {
        const command = `pulumi-oneops import-file ${subject}`;
        const takes = 'declare adopt: true for it, and run pulumi up --refresh, or import it';
        return advice(undefined, { text: `${again.by} made it again: ${takes}: ${command}`, command });
      }
      const text = `take it out of the program${place}, and run pulumi up --refresh`;
      return advice(revert, isProgram ? { text } : accept);
    }
    case 'undeployed': {
      const does = finding.waits
        ? ' deploys it; of it, only what the file declares is set back'
        : ' restores what is declared, and deploys it';
      return advice(byHand === undefined ? step('pulumi up --refresh', does) : { text: byHand });
    }
    case 'undeclared': {
      const command = `pulumi-oneops import-file ${subject}`;
      const does = finding.mayBeGiven ? ' deletes it, or gives back the values that it came with' : ' deletes it';
      const deleted = finding.isKept ? undefined : step(`pulumi-oneops drift revert ${id}`, does);
      const imports = at === undefined ? 'declare it, and import it' : 'declare adopt: true for it, or import it';
      const takes = finding.elsewhere
        ? `leave it to its owner, perhaps another stack; if it has none, ${imports}`
        : imports;
      return advice(deleted, { text: `${takes}: ${command}`, command });
    }
    case 'touched':
      if (finding.secret) return advice(step('pulumi up --refresh', ' writes the declared value again'));
      return {
        accept: finding.isAttribute
          ? 'nothing that is declared is missing: ask the user who deployed; it is reported until the stack deploys again'
          : 'no declared value differs: ask the user who wrote it; it is reported until the stack writes the record again',
      };
    case 'pending':
      return advice(undefined, step('pulumi up', ' applies it'));
    case 'healed':
      return advice(undefined, step('pulumi up --refresh', ' records it in the state, and deploys it'));
  }
}

const step = (command: string, said = ''): Step => ({ text: `${command}${said}`, command });

const advice = (revert?: Step, accept?: Step): Advice => ({
  ...defined({ revert: revert?.text, accept: accept?.text }),
  commands: defined({ revert: revert?.command, accept: accept?.command }),
});

/** The first that fits `Kind.attribute`, or the kind of a whole record. */
const DEFAULTS: readonly { readonly fits: RegExp; readonly severity: Severity }[] = [
  { fits: /(^|\.)(description|comments?|tags|owner)$/, severity: 'low' },
  { fits: /\.attributes\..*(cmd|command|exec|script|sudo|authorized_keys|inbound|outbound)/i, severity: 'high' },
  { fits: /(pass?w|pwd|secret|token|credential|private|auth|encryptedValue|username)/i, severity: 'high' },
  // Whether it runs.
  { fits: /adminstatus$/, severity: 'high' },
];

/** By drift.yaml's last rule that fits, else the default. `takesAway`: fewer instances stay. */
function severityOf(
  rules: readonly SeverityRule[],
  about: About & { readonly kind: string; readonly attribute: string | undefined },
): Severity {
  const { kind, attribute, classification, secret = false, takesAway = false, elsewhere = false } = about;
  const path = attribute === undefined ? kind : `${kind}.${attribute}`;
  const paths = attribute === undefined ? [kind] : attributeSpellings(attribute).map((each) => `${kind}.${each}`);
  const said = rules.findLast(({ pattern }) => pattern === classification || paths.some((each) => fits(pattern, each)));
  if (said) return said.severity;
  if (classification === 'deleted' || secret || takesAway) return 'high';
  if (elsewhere || classification === 'touched') return 'low';
  if (classification === 'undeclared') return 'medium';
  const named = DEFAULTS.find((each) => each.fits.test(path))?.severity;
  return named ?? kindOf(kind)?.impact?.severity?.[attribute?.split('.')[0] ?? ''] ?? 'medium';
}

/** Whether a path is meant: of a pattern without dots any attribute of the kind is. */
const fits = (pattern: string, path: string): boolean => matchesAny([pattern, `${pattern}.*`], path);
