// The records that an address means, and the logical name of each in a stack file.
import { WrongInput } from '../../api/errors';
import { LifecycleError } from '../errors';
import { formatId, scopeOfId } from '../address/ids';
import { addressNames, pathNames, scopesOf, type Kind } from '../kind';
import { kinds } from '../kinds';
import { type Lifecycle, SILENT } from '../lifecycle';
import { nearest } from '../values/text';

export interface RecordPlace {
  readonly of: Kind;
  readonly id: string;
  /** The id to read it by, with a number of the service where its own name is several records'. */
  readonly at?: string;
}

/** Kinds of records: no address alone means an action. */
const RECORDS: readonly Kind[] = kinds.filter((of) => of.verbs.isAction !== true);

/**
 * What `acme/shop/web` or `Platform:acme/shop/web` means. An address alone is looked for in every
 * kind whose ids have its form. Throws WrongInput for another form or organization, and
 * LifecycleError when none or several exist.
 */
export async function placeAt(
  address: string,
  organization: string,
  life: (of: Kind) => Lifecycle,
): Promise<RecordPlace> {
  const { candidates, id } = candidatesOf(address);
  const [other] = id.split('/');
  if (other !== organization)
    throw new WrongInput(
      `${JSON.stringify(address)} is not in the organization ${organization}, which the settings name\naddresses begin with ${organization}/, or name the other organization with --organization`,
    );
  const there: RecordPlace[] = [];
  for (const of of candidates) {
    const state = await life(of).read(id, undefined, SILENT);
    if (state !== undefined) there.push({ of, id: state.id, ...(state.id === id ? {} : { at: id }) });
  }
  const [found, ...others] = there;
  if (found !== undefined && others.length === 0) return found;
  if (found === undefined)
    throw new LifecycleError(
      `there is nothing at ${id}`,
      `looked for: ${candidates.map(({ token }) => token).join(', ')}; check the names, and that the token's user may see them`,
    );
  throw new LifecycleError(
    `${id} is several records`,
    `say which is meant: ${there.map(({ of }) => `${of.token}:${id}`).join(' or ')}`,
  );
}

function candidatesOf(address: string): { readonly candidates: readonly Kind[]; readonly id: string } {
  const colon = address.indexOf(':');
  if (colon >= 0) {
    const id = address.slice(colon + 1);
    return { candidates: [kindNamed(address.slice(0, colon), id)], id };
  }
  const candidates = RECORDS.filter((of) => scopeOfId(of, address) !== undefined);
  if (candidates.length > 0) return { candidates, id: address };
  const forms = formsNear(address).map((form) => `\n  ${form}`);
  throw new WrongInput(
    `${JSON.stringify(address)} is not an address\naddresses begin with the organization:${forms.join('')}`,
  );
}

function kindNamed(token: string, id: string): Kind {
  const of = kinds.find((each) => each.token === token);
  if (of === undefined) {
    const tokens = kinds.map((each) => each.token);
    const near = nearest(token, tokens);
    const hint = near === undefined ? `kinds are ${tokens.join(', ')}` : `did you mean ${near}:${id}?`;
    throw new WrongInput(`there is no kind ${JSON.stringify(token)}\n${hint}`);
  }
  if (scopeOfId(of, id) === undefined)
    throw new WrongInput(
      `${JSON.stringify(id)} is not the address of kind ${token}\nsuch addresses look like ${formsOf([of]).join(', ')}`,
    );
  return of;
}

/** Forms with as many names, or one more: the organization is easily left out. */
function formsNear(address: string): readonly string[] {
  const count = address.split('/').length;
  const forms = formsOf(RECORDS);
  const near = forms.filter((form) => [count, count + 1].includes(form.split('/').length));
  return near.length > 0 ? near : forms;
}

const formsOf = (of: readonly Kind[]): readonly string[] => [
  ...new Set(of.flatMap((each) => scopesOf(each).map(formOf))),
];

/** `acme/<assembly>/<platform>`. */
const formOf = (scope: Kind): string => {
  const own = scope.id === undefined ? pathNames(scope).at(-1) : scope.token.toLowerCase();
  const word = (name: string): string => `<${name === 'name' ? own : name}>`;
  return formatId(scope, 'acme', Object.fromEntries(addressNames(scope).map((name) => [name, word(name)])));
};
