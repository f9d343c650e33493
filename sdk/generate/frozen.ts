// Names, provider texts, ids and secrets in users' states. They may grow and never change.
import {
  addressNames,
  dynamicType,
  formatId,
  namesBeside,
  providerText,
  scopesOf,
  secretNames,
  type Kind,
} from '../../provider';
import { kinds } from '../../provider/kinds';

/** What state holds of a kind, in one of its scopes. */
export interface Frozen {
  readonly type: string;
  readonly provider: string;
  readonly id: string;
  readonly secrets: readonly string[];
}

/** `Attachment`; `Variable of Platform`; `Variable of Platform in Environment`. */
export function titleOf(of: Kind): string {
  if (of.scopes === undefined || of.within === undefined) return of.token;
  const place = namesBeside(of).at(-1);
  return `${of.token} of ${place === undefined ? '' : `${capital(place)} in `}${of.within.token}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What state holds of every kind today, by title. */
export function frozenNow(): { readonly [title: string]: Frozen } {
  return Object.fromEntries(
    kinds.flatMap(scopesOf).map((of) => {
      const address = Object.fromEntries(
        addressNames(of).map((name) => [name, name === 'name' ? `this-${of.token}` : `the-${name}`]),
      );
      const frozen = {
        type: dynamicType(of.token),
        provider: providerText(of.token),
        id: formatId(of, 'organization', address),
        secrets: secretNames(of),
      };
      return [titleOf(of), frozen];
    }),
  );
}

/** What is frozen, with what is new added behind it: nothing that exists changes. */
export const frozenWith = (golden: { readonly [title: string]: Frozen }): { readonly [title: string]: Frozen } => ({
  ...golden,
  ...Object.fromEntries(Object.entries(frozenNow()).filter(([title]) => !(title in golden))),
});
