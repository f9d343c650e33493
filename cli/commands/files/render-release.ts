// `pulumi-oneops render --release N`: the stack file with the values that a committed release of
// its assembly had.
import { ENCRYPTED, type Record as WireRecord } from '../../../api/contract';
import { findingSubject, reviewStack, type Code, type DriftFinding } from '../../../drift';
import { camelCase, platformOf } from '../../../provider';
import { asOf } from '../../../provider/history';
import { mayHoldSecret, mayNameSecret } from '../../../provider/secrets';
import { isPlainObject } from '../../../provider/values';
import { EXIT, UsageError } from '../../exit';
import { acceptHere, filesToAccept } from '../drift/accept';
import { newDrafts } from '../drift/drafts';
import { openReview, type SourceOptions } from '../drift/sources';
import { subjectOf } from '../operate/open-release';

/** The findings about a declared value that had another value then. */
const DIFFERING: readonly DriftFinding['classification'][] = ['changed', 'changed-by-own-user', 'conflict', 'deleted'];

/** Prints the stack file, or a patch for several files, of a release. */
export async function renderRelease(
  release: string,
  named: string | undefined,
  options: SourceOptions,
): Promise<number> {
  if (!/^\d+$/.test(release))
    throw new UsageError('--release takes the number of a release: see pulumi-oneops history');
  const { state, code, ...opened } = await openReview(options, named);
  try {
    const assembly = code?.records.find(({ inputs }) => 'assembly' in inputs)?.inputs['assembly'];
    if (code === undefined || typeof assembly !== 'string')
      throw new UsageError('no stack file here declares an assembly');
    const then = await asOf(opened.api, assembly, Number(release));
    if (then === undefined)
      throw new UsageError(`${assembly} has no committed release ${release}: see pulumi-oneops history`);
    const found = await reviewStack({ ...opened, code, rules: undefined, api: then.api });
    const review = { ...found, ...(state?.stack === undefined ? {} : { stack: state.stack }) };
    const names = named === undefined ? filesToAccept([]) : [named];
    const differing = review.findings.filter(({ classification }) => DIFFERING.includes(classification));
    const { files, refused } = acceptHere(differing, review, names);
    const drafts = newDrafts();
    files.forEach(({ name, text }) => drafts.put(name, text));
    process.stdout.write(files.length === 1 ? (files[0]?.text ?? '') : drafts.diff());
    const left = [
      ...refused.map(({ finding, reason }) => `${findingSubject(finding)} is not written: ${reason}`),
      ...review.unread.map(({ kind, address, reason }) => `${kind} ${address} is not known: ${reason}`),
      ...then.deleted.map((record) => `${subjectOf(record)} was deleted since: declare it again by hand`),
      ...then.changed.flatMap((record) => undeclaredIn(record, code)),
    ];
    new Set(left).forEach((line) => process.stderr.write(`${opened.hide(line)}\n`));
    return left.length > 0 ? EXIT.inPart : EXIT.done;
  } finally {
    opened.api.close();
  }
}

/** A line for each undeclared attribute that was set since, or that no read shows. */
function undeclaredIn(record: WireRecord, { records }: Code): readonly string[] {
  const { ciName, ciBaseAttributes, ciAttrProps, nsPath } = record;
  // What a pull or a pack brought is no value of a file.
  const isSet = (attribute: string): boolean =>
    !nsPath.includes('/manifest') || ciAttrProps?.owner?.[attribute] === 'manifest';
  const declared = records
    .filter(
      ({ inputs }) => inputs['name'] === ciName && (inputs['platform'] ?? ciName) === (platformOf(record) || ciName),
    )
    .flatMap(({ inputs: { attributes, ...inputs } }) => [
      ...Object.keys(inputs),
      ...(isPlainObject(attributes) ? Object.keys(attributes) : []),
    ]);
  return Object.entries(ciBaseAttributes ?? {}).flatMap(([name, value]) => {
    if (value === ENCRYPTED) return [`${subjectOf(record)} had another ${name}: the service shows no secret`];
    const isDeclared = declared.some((each) => [name, camelCase(name)].includes(each));
    if (isDeclared || !isSet(name)) return [];
    const had =
      mayNameSecret(name) || mayHoldSecret(value ?? '')
        ? `another ${name}, which may hold a secret`
        : `${name} ${JSON.stringify(value)}`;
    return [`${subjectOf(record)} had ${had}: the file does not declare it`];
  });
}
