// What is found of one record, from what the sources and the service say of it.
import { createHash } from 'node:crypto';
import { kindOf } from '../../provider/kinds';
import type { State } from '../../provider/lifecycle';
import { valueIn, withValuesAt, matchesAny } from '../../provider/values';
import { comparedAttributes, classify, wireNameOf, type Attribute, UNKNOWN_SECRET, type Redact } from './compare';
import { recordAuthor, type ReviewedRecord } from './authors';
import type { Author, Classification, DriftFinding, FilePlace, SetIn, Shown, Advice, Severity } from './review';
import { type SeverityRule, attributeSpellings } from '../../stack';
import { ignoredBelow, isIgnored, type Subject } from './sources';
import type { Undeclared, UnexpectedRecord } from './undeclared';
import type { Undeployed } from './undeployed';
import type { WaitingInDesign } from './releases';
import { changesText } from './waiting';

/** What all findings of a review have in common. */
export interface ReviewContext {
  readonly organization: string;
  /** Values as reports may show them. */
  readonly redact: Redact;
  readonly severities: readonly SeverityRule[];
  /** Whether a file, and a state, take part. */
  readonly hasCode: boolean;
  readonly hasState: boolean;
}

/** All findings of one record; none when it is in sync. */
export function findingsOf(context: ReviewContext, record: ReviewedRecord): readonly DriftFinding[] {
  const { subject, live, lastWrite } = record;
  const { code, applied } = subject;
  const whole = (classification: Classification): DriftFinding =>
    finding(context, subject, {
      classification,
      author: classification === 'pending' ? undefined : lastWrite.author,
    });
  const isLeaving = context.hasCode && code === undefined;
  if (context.hasState && applied === undefined) return [whole('pending')];
  if (live === undefined) return [whole(isLeaving ? 'healed' : 'deleted')];
  const sides = [code, applied].filter((side) => side !== undefined);
  const attributes = comparedAttributes(subject.kind, sides).filter(({ path }) => !isIgnored(subject, path));
  const differing = attributes.flatMap((attribute) => differenceOf(context, record, live, attribute));
  const names = new Set(differing.map(({ attribute }) => attribute));
  const hasMoved = differing.some(({ classification }) => classification !== 'pending');
  const unseen = attributes
    .filter(({ path }) => !names.has(path.join('.')))
    .flatMap((attribute) => unseenOf(context, record, attribute, hasMoved));
  const found = [...(isLeaving ? [whole('pending')] : []), ...differing, ...unseen];
  const isTouched = lastWrite.wasWritten && attributes.length > 0 && !hasMoved && unseen.length === 0;
  return isTouched ? [...found, whole('touched')] : found;
}

function differenceOf(
  context: ReviewContext,
  { subject, lastWrite }: ReviewedRecord,
  live: State,
  { path, shape, secret, writeOnly }: Attribute,
): readonly DriftFinding[] {
  const { writer, author } = lastWrite.setter?.(wireNameOf(path)) ?? lastWrite;
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
  return [
    finding(context, subject, {
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
 * A secret that no read shows, and that was or may have been written: a refresh finds it, too. It counts as drift when the change is certain, or when
 * another user wrote the record and nothing else explains that. `isExplained`: another attribute of the record differs.
 */
function unseenOf(
  context: ReviewContext,
  { subject, lastWrite: { writtenSecret, author } }: ReviewedRecord,
  { path, shape }: Attribute,
  isExplained: boolean,
): readonly DriftFinding[] {
  const write = writtenSecret?.(wireNameOf(path));
  if (write === undefined) return [];
  const { by: who, at: when, isCertain, isOwn } = write;
  const { code, applied } = subject;
  const show = (side: { readonly inputs: { readonly [name: string]: unknown } } | undefined): Shown | undefined =>
    side && context.redact(shape, valueIn(side.inputs, path), true);
  const counts = isCertain || !(isExplained || isOwn);
  const classification: Classification = !counts ? 'touched' : isOwn ? 'changed-by-own-user' : 'changed';
  const writer = author?.who === who ? author : { who, when };
  const about = { classification, path, secret: true, code: show(code), applied: show(applied), live: UNKNOWN_SECRET };
  return [finding(context, subject, { ...about, author: writer })];
}

export function undeclaredFinding(
  context: ReviewContext,
  { kind, id, record, isElsewhere, isNamesake }: Undeclared,
): DriftFinding {
  const classification = 'undeclared';
  const severity = severityOf(context.severities, { kind: kind.token, classification, elsewhere: isElsewhere });
  const own = findingId(context.organization, kind.token, id, undefined);
  return {
    id: own,
    classification,
    severity,
    kind: kind.token,
    address: id,
    author: recordAuthor(record),
    ...(isElsewhere ? { elsewhere: true } : {}),
    advice: adviceOn(classification, {
      id: own,
      subject: `${kind.token}:${id}`,
      isAttribute: false,
      isHidden: false,
      isKept: isElsewhere || isNamesake,
    }),
  };
}

export function unexpectedFindings(
  context: ReviewContext,
  { record: { subject, lastWrite }, within, values }: UnexpectedRecord,
): readonly DriftFinding[] {
  return values.map(({ value: { path, shape, secret, base, live, isRecorded }, setIn, takesAway }) => {
    const { author, writer } = lastWrite.setter?.(wireNameOf(path)) ?? lastWrite;
    return finding(context, subject, {
      classification: 'unexpected',
      path,
      secret,
      expected: context.redact(shape, base, secret),
      live: context.redact(shape, live, secret),
      // What our own last write left alone was there before it: also a value next to one that is declared.
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

/** A record of which what was written does not run; `live` is what is seen instead. */
export function undeployedFinding(context: ReviewContext, found: Undeployed): DriftFinding {
  const { subject, path, applied, live, author, counts, waits, takesAway, byHand } = found;
  const is = (value: string): Shown => ({ is: 'value', value });
  return finding(context, subject, {
    classification: counts ? 'undeployed' : 'touched',
    path,
    applied: applied === undefined ? undefined : is(applied),
    live: is(live),
    author,
    waits,
    takesAway,
    byHand,
  });
}

/** A committed release of a design that no environment of the stack has yet. */
export function releaseFinding(context: ReviewContext, waiting: WaitingInDesign): DriftFinding {
  const { release, members, isElsewhere } = waiting;
  const { address, releaseId, who = '', when = 0, environments } = release;
  const kind = 'Assembly';
  const [classification, attribute] = ['undeployed' as const, `releases.${releaseId}`];
  const value = `waits to be deployed to ${environments.join(', ')}: ${changesText(members)}`;
  const id = findingId(context.organization, kind, address, attribute);
  return {
    id,
    classification,
    severity: isElsewhere ? 'low' : severityOf(context.severities, { kind, attribute, classification }),
    kind,
    address,
    attribute,
    live: { is: 'value', value },
    author: { who, when, releaseId, stage: 'released' },
    waits: true,
    ...(isElsewhere ? { elsewhere: true } : {}),
    advice: adviceOn(classification, {
      id,
      subject: `${kind}:${address}`,
      isAttribute: true,
      isHidden: false,
      waits: true,
    }),
  };
}

/** A record that somebody wrote without a difference in what is declared waits, too, unless its release has a row. */
export function withWaiting(finding: DriftFinding, waiting: readonly WaitingInDesign[]): DriftFinding {
  const { classification, author, address } = finding;
  if (classification !== 'touched' || !['design', 'released'].includes(author?.stage ?? '')) return finding;
  const hasRow = waiting.some(({ release, members }) =>
    members?.some((member) => address === `${release.address}/${member.slice(1)}`),
  );
  return hasRow ? finding : { ...finding, waits: true };
}

interface About {
  readonly classification: Classification;
  readonly path?: readonly string[];
  readonly secret?: boolean;
  readonly code?: Shown | undefined;
  readonly applied?: Shown | undefined;
  readonly expected?: Shown | undefined;
  readonly live?: Shown | undefined;
  readonly author?: Author | undefined;
  readonly setIn?: SetIn | undefined;
  readonly isRecorded?: boolean | undefined;
  readonly waits?: true | undefined;
  readonly takesAway?: boolean | undefined;
  readonly byHand?: string | undefined;
  /** Where it would be declared, if nothing of the record is. */
  readonly at?: FilePlace | undefined;
}

function finding(context: ReviewContext, { kind, id: address, code, applied }: Subject, about: About): DriftFinding {
  const { classification, path, secret, author } = about;
  const attribute = path?.join('.');
  const id = findingId(context.organization, kind.token, address, attribute);
  const at: FilePlace | undefined =
    (attribute === undefined ? undefined : code?.places.get(attribute)) ??
    (path?.[0] === undefined ? undefined : code?.places.get(path[0])) ??
    code?.at ??
    applied?.at ??
    about.at;
  const severity = severityOf(context.severities, {
    kind: kind.token,
    attribute,
    classification,
    secret: secret === true,
    takesAway: about.takesAway === true,
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
    ...(about.expected ? { expected: about.expected } : {}),
    ...(about.live ? { live: about.live } : {}),
    ...(author ? { author } : {}),
    ...(about.setIn ? { setIn: about.setIn } : {}),
    ...(about.isRecorded ? { recorded: true } : {}),
    ...(about.waits ? { waits: true } : {}),
    ...(at ? { at } : {}),
    advice: adviceOn(classification, {
      id,
      subject: `${kind.token}:${address}`,
      isAttribute: attribute !== undefined,
      isSecret: secret === true,
      isHidden: about.live?.is === 'secret' || about.live?.is === 'unknown',
      byHand: about.byHand,
      waits: about.waits,
      at,
    }),
  };
}

/** Id of a finding: the same in every review. `attribute` is a path with dots; absent for the whole record. */
function findingId(organization: string, kind: string, address: string, attribute: string | undefined): string {
  const subject = JSON.stringify([organization, kind, address, attribute ?? null]);
  return createHash('sha256').update(subject).digest('hex').slice(0, 10);
}

interface AdvisedFinding {
  readonly id: string;
  /** `Component:acme/shop/web/tomcat`, as `import-file` takes it. */
  readonly subject: string;
  readonly isAttribute: boolean;
  /** The attribute is a secret. */
  readonly isSecret?: boolean;
  /** The live value is a secret, or not known: it cannot be written into a file. */
  readonly isHidden: boolean;
  /** What restores it, if no command does. */
  readonly byHand?: string | undefined;
  /** Somebody wrote or committed it, and it waits to be deployed. */
  readonly waits?: true | undefined;
  readonly at?: FilePlace | undefined;
  /** A record that nobody declares and that no command of ours deletes. */
  readonly isKept?: boolean;
}

/** A sentence, and the command in it where there is one. */
interface Step {
  readonly text: string;
  readonly command?: string;
}

/** What can be done about a finding; where no command of ours does it, Pulumi's is named, or what to edit. */
export function adviceOn(classification: Classification, finding: AdvisedFinding): Advice {
  const { id, subject, isAttribute, isSecret, isHidden, byHand, waits, at, isKept } = finding;
  const place = at ? ` at ${at.file}:${at.line}` : '';
  const isProgram = at !== undefined && !/\.ya?ml$/i.test(at.file);
  const revert = step(`pulumi-oneops drift revert ${id}`);
  const accept = step(`pulumi-oneops drift accept ${id}`);
  const written = isProgram ? { text: `write it into the program${place}` } : accept;
  switch (classification) {
    case 'changed':
    case 'changed-by-own-user':
    case 'normalised':
      return advice({ revert, ...(isHidden ? {} : { accept: written }) });
    case 'conflict':
      return advice({
        revert: step('pulumi up --refresh', `: what the file says${place} wins`),
        ...(isHidden ? {} : { accept: written }),
      });
    case 'deleted': {
      const text = `take it out of the program${place}, and run pulumi up --refresh`;
      return advice({ revert, accept: isProgram ? { text } : accept });
    }
    case 'unexpected':
      return advice({ revert, ...(isHidden ? {} : { accept: written }) });
    case 'undeployed':
      if (byHand !== undefined) return advice({ revert: { text: byHand } });
      return advice({
        revert: step(
          'pulumi up --refresh',
          waits
            ? ' deploys it; of it, only what the file declares is set back'
            : ' restores what is declared, and deploys it',
        ),
      });
    case 'undeclared': {
      const command = `pulumi-oneops import-file ${subject}`;
      return advice({
        ...(isKept ? {} : { revert: step(`pulumi-oneops drift revert ${id}`, ' deletes it') }),
        accept: { text: `declare it, and import it: ${command}`, command },
      });
    }
    case 'touched':
      if (isSecret) return advice({ revert: step('pulumi up --refresh', ' writes the declared value again') });
      return {
        accept: isAttribute
          ? 'nothing that is declared is missing: ask the user who deployed; it is reported until the stack deploys again'
          : 'no declared value differs: ask the user who wrote it; it is reported until the stack writes the record again',
      };
    case 'pending':
      return advice({ accept: step('pulumi up', ' applies it') });
    case 'healed':
      return advice({ accept: step('pulumi up --refresh', ' records it in the state, and deploys it') });
  }
}

const step = (command: string, said = ''): Step => ({ text: `${command}${said}`, command });

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

/** By what the name of an attribute says, for every kind: the first that fits. Paths are `Kind.attribute`; what is said of a whole record has the kind alone. */
const DEFAULTS: readonly { readonly fits: RegExp; readonly severity: Severity }[] = [
  { fits: /(^|\.)(description|comments?|tags|owner)$/, severity: 'low' },
  { fits: /\.attributes\..*(cmd|command|exec|script|sudo|authorized_keys|inbound|outbound)/i, severity: 'high' },
  { fits: /(pass?w|pwd|secret|token|credential|private|auth|encryptedValue|username)/i, severity: 'high' },
  // Whether it runs.
  { fits: /adminstatus$/, severity: 'high' },
];

/** Severity of a difference: the last rule of drift.yaml that fits, else the default. `secret`: the attribute is one; `takesAway`: fewer instances are left. */
function severityOf(
  rules: readonly SeverityRule[],
  about: {
    readonly kind: string;
    readonly attribute?: string | undefined;
    readonly classification: Classification;
    readonly secret?: boolean;
    readonly takesAway?: boolean;
    readonly elsewhere?: boolean;
  },
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
