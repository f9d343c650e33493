// A Boo template: the address of the service, an assembly, its platforms, and one or several environments.
// It must not know how values and components are converted.
import { nearest } from '../../provider';
import { entryOf, isNull, type Entry, type MapNode } from '../reader/tree';
import { environmentOf, type TemplateParts } from './environments';
import { fieldsOf, variablesOf } from './fields';
import { hasTag, tagsIn } from './mustache';
import { platformEntries } from './platforms';
import { textRead } from './values';
import { withReferences } from './references-in-text';
import { entryFrom, keyName, leaveUnknown, settingsIn, nameOf, rendered, type Conversion } from './conversion';
import { writtenText, type WrittenEntry } from './written';

const TOP = [
  ...['boo', 'assembly', 'variables', 'encrypted_variables', 'platforms', 'scale', 'environment', 'environments'],
];

/** Settings of Boo that are settings of the provider. */
const PROVIDER: ReadonlyMap<string, string> = new Map([
  ['oneops_host', 'oneops:url'],
  ['organization', 'oneops:organization'],
  ['api_key', 'oneops:token'],
]);

/** The entries of the stack file that says what a template says. `fallback`: name of the assembly where the template has none. */
export function convertBoo(work: Conversion, root: MapNode, fallback: string): readonly WrittenEntry[] {
  const boo = settingsIn(work, entryOf(root, 'boo')?.value);
  for (const entry of root.entries)
    if (!TOP.includes(entry.key) && !entry.key.startsWith('x-')) leaveUnknown(work, entry, nearest(entry.key, TOP));
  const owner = settingsOf(work, boo);
  const assembly = assemblyOf(work, entryOf(root, 'assembly'), { fallback, owner });
  const plain = entryOf(root, 'variables');
  const variables = variablesOf(work, { plain, secrets: entryOf(root, 'encrypted_variables') }, []);
  const platforms = platformEntries(work, entryOf(root, 'platforms'), true);
  const environments = environmentsOf(work, root, boo, packsOf(platforms));
  return [assembly, variables, platforms, environments].filter((entry) => entry !== undefined);
}

function packsOf(platforms: WrittenEntry | undefined): TemplateParts['packs'] {
  const entries = platforms?.value.is === 'map' ? platforms.value.entries : [];
  return new Map(
    entries.map(({ key, value }) => {
      const pack = value.is === 'map' ? value.entries.find((entry) => entry.key === 'pack')?.value : undefined;
      return [key, pack?.is === 'text' ? /^(?:[^/]*\/)?([^:$]+)(?::.*)?$/.exec(pack.text)?.[1] : undefined];
    }),
  );
}

/** Settings of Boo itself go into the configuration of the stack. Returns the owner of the assembly, as the template writes it. */
function settingsOf(work: Conversion, boo: MapNode | undefined): Entry | undefined {
  for (const { key, value } of boo?.entries ?? []) {
    const setting = PROVIDER.get(key);
    if (setting !== undefined && value.form === 'scalar') {
      const masked = textRead(work, value);
      const secret = key === 'api_key';
      const valueIn = (profile: Conversion['profiles'][number] | undefined): string | undefined =>
        rendered(masked, profile);
      const tags = tagsIn(masked).flatMap((part) => ('tag' in part ? [part.tag] : []));
      work.configuration.provider({ key: setting, secret, tags, valueIn });
      work.ledger.changed(
        value,
        'setting-configured',
        `${setting} of the stack's configuration${secret ? ', its value is not copied' : ''}`,
      );
    } else if (key === 'ip_output')
      work.ledger.left(value, 'no-counterpart', 'the output of Boo; declare outputs instead');
    else if (!['email', 'environment_name', 'clouds'].includes(key))
      work.ledger.left(value, 'no-counterpart', 'a setting of Boo itself, without a meaning here');
  }
  return entryOf(boo, 'email');
}

interface AssemblyContext {
  readonly fallback: string;
  readonly owner: Entry | undefined;
}

function assemblyOf(work: Conversion, entry: Entry | undefined, { fallback, owner }: AssemblyContext): WrittenEntry {
  const body = settingsIn(work, entry?.value);
  const named = entryOf(body, 'name');
  const random = entryOf(body, 'auto_gen');
  if (random?.value.form === 'scalar') {
    if (textRead(work, random.value) === 'true')
      work.ledger.left(random.value, 'no-counterpart', 'Boo made a random name: this is a fixed one');
    else work.ledger.changed(random.value, 'setting-empty', 'always so: the key is left out');
  }
  const value = named?.value;
  const name =
    value?.form === 'scalar' && value.value !== null
      ? nameOf(work, textRead(work, value), (code, note) => work.ledger.became(value, code, note))
      : fallback;
  const rest = fieldsOf(work, body, { kind: 'assembly', place: [], apart: ['name', 'auto_gen'] });
  const mail = rest.some(({ key }) => key === 'owner') ? undefined : mailOf(work, owner);
  if (owner && mail === undefined)
    work.ledger.left(owner.value, 'no-counterpart', 'no e-mail address, or the assembly has its own owner');
  const nameEntry = named
    ? entryFrom(work, named, 'name', writtenText(name))
    : { key: 'name', value: writtenText(name) };
  const entries = [nameEntry, mail, ...rest].filter((each) => each !== undefined);
  const value_ = { is: 'map', entries } as const;
  return entry ? entryFrom(work, entry, 'assembly', value_) : { key: 'assembly', value: value_ };
}

/** The owner of the assembly: Boo makes it with the address of who runs it. */
function mailOf(work: Conversion, owner: Entry | undefined): WrittenEntry | undefined {
  if (owner?.value.form !== 'scalar') return undefined;
  const masked = textRead(work, owner.value);
  if (!hasTag(masked) && !/^[^@\s]+@[^@\s]+$/.test(masked)) return undefined;
  work.ledger.changed(owner.value, 'setting-moved', 'now owner of the assembly');
  return entryFrom(work, owner, 'owner', writtenText(withReferences(work, masked)));
}

function environmentsOf(
  work: Conversion,
  root: MapNode,
  boo: MapNode | undefined,
  packs: TemplateParts['packs'],
): WrittenEntry | undefined {
  const single = entryOf(root, 'environment');
  const several = entryOf(root, 'environments');
  const scale = entryOf(root, 'scale');
  const named = entryOf(boo, 'environment_name');
  const clouds = entryOf(boo, 'clouds');
  if (single === undefined) {
    if (named) work.ledger.left(named.value, 'no-counterpart', 'without a meaning together with environments');
    if (scale)
      work.ledger.left(scale.value, 'no-counterpart', 'it belongs to a single environment, and the template has none');
    if (clouds)
      work.ledger.left(clouds.value, 'no-counterpart', 'it belongs to a single environment, and the template has none');
    const body = settingsIn(work, several?.value);
    if (several === undefined || body === undefined || body.entries.length === 0) return undefined;
    const entries = body.entries.map((own) => {
      const name = keyName(work, own);
      return entryFrom(work, own, name, environmentOf(work, own, name, { packs }));
    });
    return entryFrom(work, several, 'environments', { is: 'map', entries });
  }
  if (several) work.ledger.left(several.value, 'no-counterpart', 'the template has a single environment, too');
  const name = environmentName(work, named);
  const template = { packs, scale: settingsIn(work, scale?.value), clouds };
  const value = environmentOf(work, single, name, template);
  return { ...entryFrom(work, single, 'environments', { is: 'map', entries: [{ key: name, value }] }) };
}

function environmentName(work: Conversion, named: Entry | undefined): string {
  if (named?.value.form !== 'scalar' || isNull(named.value)) return 'dev';
  const { value } = named;
  const masked = textRead(work, value);
  if (!hasTag(masked)) {
    work.ledger.changed(value, 'setting-moved', 'the name of the environment');
    return masked;
  }
  return nameOf(work, masked, (code, note) => work.ledger.became(value, code, note));
}
