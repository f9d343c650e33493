// What state holds for ever: ids, type names and provider texts of every kind. The golden file may grow and never change.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addressNames,
  dynamicType,
  formatId,
  kinds,
  parseId,
  providerText,
  scopesOf,
  secretNames,
  type Kind,
} from '../provider';

const GOLDEN = join(__dirname, 'golden', 'frozen.json');

interface Frozen {
  readonly type: string;
  readonly provider: string;
  readonly id: string;
  readonly secrets: readonly string[];
}

const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { readonly [token: string]: Frozen };

const now = Object.fromEntries(
  kinds.flatMap(scopesOf).map((of) => {
    const address = Object.fromEntries(
      addressNames(of).map((name) => [name, name === 'name' ? `this-${of.token}` : `the-${name}`]),
    );
    const frozen: Frozen = {
      type: dynamicType(of.token),
      provider: providerText(of.token),
      id: formatId(of, 'organization', address),
      secrets: secretNames(of),
    };
    return [titleOf(of), frozen];
  }),
);

/** `Attachment`; `Variable of Platform` where a kind has several scopes. */
function titleOf(of: Kind): string {
  return of.scopes && of.within ? `${of.token} of ${of.within.token}` : of.token;
}

test.each(Object.keys(golden))('%s is what it was', (token) => {
  expect(now[token]).toEqual(golden[token]);
});

test('every kind is frozen: add a new one to sdk/golden/frozen.json', () => {
  expect(Object.keys(golden)).toEqual(Object.keys(now));
});

test('an id leads back to its address', () => {
  for (const of of kinds.flatMap(scopesOf)) {
    const id = golden[titleOf(of)]?.id ?? '';
    const parsed = parseId(of, id);
    expect(parsed && formatId(of, parsed.organization, parsed.address)).toBe(id);
  }
});
