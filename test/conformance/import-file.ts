// The file `pulumi import --file` takes, generated from what the service holds at given addresses.
// It must not know the engine, nor any program.
import {
  dynamicType,
  formatMember,
  memberPath,
  parseId,
  providerText,
  type Inputs,
  type Kind,
  type Lifecycle,
  type Row,
} from '../../provider';
import { kindOf } from './world';

/** What is taken over, under which logical name. */
export interface Taken {
  readonly token: string;
  readonly name: string;
  readonly id: string;
  /** Secrets, which no read shows; entries of a map under its name. */
  readonly secrets: Inputs;
  /** Further values no read shows. */
  readonly controls: Inputs;
}

interface Entry extends Taken {
  readonly of: Kind;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** A secret in a file of the engine: it encrypts what it finds marked so (its own signature), and keeps in clear what is not. */
const secret = (value: unknown): object => ({
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  plaintext: JSON.stringify(value),
});

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null;

/** Secrets marked as such, entries of a map among its others. */
const withSecrets = (inputs: Inputs, secrets: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      isMap(value) ? { ...(inputs[name] as Inputs), ...withSecrets({}, value) } : secret(value),
    ]),
  );

const SILENT: Row = { progress: () => undefined, notice: () => undefined };

/** Reads every record and answers the file's content, releases and deployments last settled from the records of their stage. */
export async function importFile(taken: readonly Taken[], life: (token: string) => Lifecycle): Promise<object> {
  const entries: Entry[] = [];
  for (const each of taken) {
    const state = await life(each.token).read(each.id, undefined, SILENT);
    if (!state) throw new Error(`nothing to take over at ${each.token} ${each.id}`);
    const inputs = { ...state.inputs, ...each.controls, ...withSecrets(state.inputs, each.secrets) };
    entries.push({ ...each, of: kindOf(each.token), inputs, outputs: { ...state.outputs, ...inputs } });
  }
  return { resources: entries.map((entry) => resourceOf(entry, settled(entry, entries))) };
}

function resourceOf({ token, name, id, inputs, outputs }: Entry, more: Inputs): object {
  const provider = { ...more, __provider: providerText(token) };
  return {
    type: dynamicType(token),
    name,
    id,
    inputs: { ...inputs, ...provider },
    outputs: { ...outputs, ...provider },
  };
}

/** What a program settles from everything it declares: members, clouds, the release to run. */
function settled(entry: Entry, entries: readonly Entry[]): Inputs {
  const within = (other: Entry, names: readonly string[]): boolean =>
    names.every((name) => addressOf(other)[name] === addressOf(entry)[name]);
  switch (entry.token) {
    case 'DesignRelease':
      return {
        members: membersOf(entries.filter((other) => other.of.stage === 'design' && within(other, ['assembly']))),
      };
    case 'Environment': {
      const release = entries.find((other) => other.token === 'DesignRelease' && within(other, ['assembly']));
      return release ? { designRelease: release.outputs['revision'] } : {};
    }
    case 'Deployment': {
      const inside = entries.filter(
        (other) => other.of.stage === 'environment' && within(other, ['assembly', 'environment']),
      );
      const owner = inside.find((other) => other.token === 'Environment');
      return { members: membersOf(inside), clouds: Object.keys(owner?.inputs['clouds'] ?? {}) };
    }
    default:
      return {};
  }
}

/** Address by argument, an environment's own name as `environment`. */
function addressOf({ of, id }: Entry): { readonly [argument: string]: string } {
  const { address = {} } = parseId(of, id) ?? {};
  return of.token === 'Environment' ? { ...address, environment: address['name'] ?? '' } : address;
}

function membersOf(entries: readonly Entry[]): Inputs {
  return Object.fromEntries(
    entries.map((entry) => {
      const path = entry.token === 'Environment' ? 'environment' : memberPath(entry.of, addressOf(entry));
      const revision = String(entry.outputs['revision']);
      return [path, formatMember({ revision, pack: entry.outputs['origin'] === 'pack' })];
    }),
  );
}
