// What happens when the record to create is already there: taken over when it is the same, written when asked, else explained (architecture §3).
// It must not know any single kind.
import { AlreadyExists } from '../api/errors';
import type { Kind } from './kind';
import { subjectKey } from './session';
import { AlreadyThere } from './verbs/presence';
import type { Live, Work } from './verbs/verbs';
import { declaredValues, isUnseen, means, textOf, type Declared } from './wire-texts';

/** Creates a record, or takes over the one that is there. Throws AlreadyExists as `takeOver` does. */
export async function createOrTakeOver(of: Kind, work: Work): Promise<Live> {
  try {
    const live = await of.verbs.create(work);
    if (live.origin === 'own') work.session.born.add(subjectKey(of, work.id));
    return live;
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error;
    return takeOver(of, work, error.live);
  }
}

/** Takes a record over, or throws AlreadyExists with the differences and what to do. */
export async function takeOver(of: Kind, work: Work, live: Live): Promise<Live> {
  const differing = [...declaredValues(of, work.args)].filter(([name, declared]) => !means(declared, live.wire[name]));
  const secrets = [...declaredValues(of, work.args)].filter(([name, declared]) => isUnseen(declared, live.wire[name]));
  if (differing.length === 0) {
    work.notice('was already there with these values: taken over');
    if (secrets.length === 0 && !of.verbs.acts) return live;
    return of.verbs.update({ ...work, live, changes: textsOf(secrets) });
  }
  if (work.args['adopt'] === true) {
    work.notice(`was already there: taken over, and ${differing.map(([name]) => name).join(', ')} written`);
    return of.verbs.update({ ...work, live, changes: textsOf([...differing, ...secrets]) });
  }
  throw new AlreadyExists(
    `it is already there and differs:\n${formatDifferences(differing, live)}`,
    [
      'to take it over and write the declared values, declare adopt: true',
      'to take it over as it is, import it:',
      `  ${importLine(of, work)}`,
      'if you renamed the resource: add an alias with its old name, or rename it in a run of its own',
    ].join('\n'),
  );
}

/** The commands that import the record, for a shell: under the resource's own logical name, or, where nobody tells it, a stack file's. */
function importLine(of: Kind, { id, logicalName }: Work): string {
  const word = `${of.token}:${id}${logicalName === undefined ? '' : `=${logicalName}`}`;
  const quoted = /^[\w.:/=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const file = 'import.json';
  return `pulumi-oneops import-file ${quoted} --output ${file} && pulumi import --file ${file} --generate-code=false --protect=false`;
}

const textsOf = (entries: readonly (readonly [string, Declared])[]): { readonly [wireName: string]: string } =>
  Object.fromEntries(entries.map(([name, declared]) => [name, textOf(declared)]));

/** One line for each declared value that stands differently on the service; secrets show only that they differ. */
export function formatDifferences(differing: readonly (readonly [string, Declared])[], live: Live): string {
  return differing
    .map(([name, declared]) =>
      declared.field.secret
        ? `  ${name}: differs`
        : `  ${name}: there ${JSON.stringify(live.wire[name] ?? null)}, declared ${JSON.stringify(declared.value)}`,
    )
    .join('\n');
}
