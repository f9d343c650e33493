// Rules about records of every kind: names, descriptions, protection, secrets in clear.
import * as z from 'zod';
import { kindOf, kinds } from '../../provider/kinds';
import {
  assignedSecretIn,
  isSecretText,
  namedSecretsOf,
  nameInOption,
  mayBeSecret,
  SECRET_WORD,
  secretInText,
  SURE_NAMES,
} from '../../provider/secrets';
import { isPlainObject, matchesAny, didYouMean, UNKNOWN, patterns } from '../../provider/values';
import { effectiveValue, policyRule, type JudgedRecord, type PolicyRule } from './rule';

const NAMES = kinds.map(({ token }) => token);

/** A kind for samples: a part of a design that other records are in. */
export const SAMPLE_KIND = kinds.find(({ within, cascades }) => within !== undefined && cascades)?.token ?? '';

export const kindNames = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((given) => [given].flat())
  .superRefine((given, context) => {
    for (const name of given) {
      if (kindOf(name) !== undefined) continue;
      const hint = didYouMean(name, NAMES, `there are ${NAMES.join(', ')}`);
      context.addIssue({ code: 'custom', message: `there is no kind "${name}": ${hint}` });
    }
  })
  .describe('Kinds of the records, by their names');

const stack = (settings: string, platform: string): string =>
  `assembly: { name: shop, owner: team@acme.io${settings} }\nplatforms:\n  ${platform}\n`;

const WEB = 'web: { pack: oneops/tomcat:1 }';

/** A text that is nothing but a variable, which may be secret: `$OO_LOCAL{password}`. */
const REFERENCE = /^\$OO_[A-Z]+\{[\w-]+\}$/;

interface RecordText {
  /** An item of a list has the path of the list. */
  readonly path: readonly string[];
  readonly text: string;
  /** What surely names it a secret: a text next to it, or the item before it. */
  readonly name?: string | undefined;
}

/** Texts of a value; those at secret places are left out. */
function textsIn(
  value: unknown,
  { path, name }: Omit<RecordText, 'text'>,
  hidden: JudgedRecord['hidden'],
): RecordText[] {
  const isHidden = hidden.some(
    (each) => each.length <= path.length && each.every((step, index) => step === path[index]),
  );
  if (isHidden) return [];
  if (typeof value === 'string' || typeof value === 'number') return [{ path, text: String(value), name }];
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return [];
  // Arguments and attributes are no names of each other.
  const secretUnder = path.length < 2 ? () => undefined : namedSecretsOf(value, SURE_NAMES);
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, { path: isList ? path : [...path, key], name: secretUnder(key) }, hidden),
  );
}

/** The name of a secret in a text: a name next to it, before it or in it. */
function secretNameOf({ text, name }: RecordText): string | undefined {
  const isSecret = name !== undefined && text !== UNKNOWN && isSecretText(text);
  return isSecret ? nameInOption(name) : assignedSecretIn(text);
}

export const RECORD_RULES: readonly PolicyRule[] = [
  policyRule({
    name: 'names',
    demands: 'Names of records have a form.',
    parameters: z.strictObject({ kinds: kindNames, allowed: patterns('Allowed names; `*` stands for any text') }),
    sample: {
      parameters: { kinds: SAMPLE_KIND, allowed: ['app-*', 'db-*'] },
      wrong: stack('', WEB),
      right: stack('', WEB.replace('web', 'app-web')),
    },
    judge(record, { kinds: wanted, allowed }) {
      if (!wanted.includes(record.kind.token) || !record.kind.named) return undefined;
      const name = effectiveValue(record, 'name');
      if (typeof name !== 'string' || matchesAny(allowed, name)) return undefined;
      return { message: `is named ${name}; allowed are ${allowed.join(', ')}`, path: ['name'] };
    },
  }),
  policyRule({
    name: 'description-required',
    demands: 'Each record of some kinds has a description.',
    parameters: z.strictObject({ kinds: kindNames }),
    sample: {
      parameters: { kinds: NAMES[0] },
      wrong: stack('', WEB),
      right: stack(', description: web shop', WEB),
    },
    secretsSatisfy: true,
    judge: (record, { kinds: wanted }) =>
      wanted.includes(record.kind.token) && effectiveValue(record, 'description') === ''
        ? { message: 'has no description', path: ['description'] }
        : undefined,
  }),
  policyRule({
    name: 'protected',
    demands: 'Each record of some kinds is protected from deletion by the option protect.',
    parameters: z.strictObject({ kinds: kindNames }),
    sample: {
      parameters: { kinds: SAMPLE_KIND },
      wrong: stack('', WEB),
      right: stack('', 'web: { pack: oneops/tomcat:1, pulumi: { protect: true } }'),
    },
    judge: (record, { kinds: wanted }) =>
      wanted.includes(record.kind.token) && record.isProtected === false
        ? { message: 'is not protected: the option protect: true is required' }
        : undefined,
  }),
  policyRule({
    name: 'no-secret-in-clear',
    demands: 'No value that looks like a secret, or whose name says so, is declared in clear.',
    parameters: z.strictObject({
      harmless: patterns(
        'Names of values that are no secrets: of arguments, attributes, keys, and those next to a value',
      ).default([]),
    }),
    sample: {
      parameters: {},
      wrong: `${stack('', WEB)}variables: { db_password: hunter2 }\n`,
      right: `config: { password: { type: string, secret: true } }\n${stack('', WEB)}variables: { db_password: { encrypted_value: "\${config.password}" } }\n`,
    },
    secretsSatisfy: true,
    judge: ({ kind, args: all, hidden }, { harmless }) => {
      const name = typeof all['name'] === 'string' ? all['name'] : '';
      // What steers a run is no value of a record.
      const args = Object.fromEntries(Object.entries(all).filter(([each]) => kind.fields[each]?.channel !== 'control'));
      return textsIn(args, { path: [] }, hidden).flatMap((each) => {
        const { path, text } = each;
        // A variable's own name says what its value is.
        const called = path.join('.') === 'value' ? name : (path.at(-1) ?? '');
        if (text === '' || REFERENCE.test(text) || matchesAny(harmless, called)) return [];
        const isNamed = SECRET_WORD.test(called) && path[0] !== 'name' && mayBeSecret(text, called);
        const secret = isNamed || secretInText(text) !== undefined ? called : secretNameOf(each);
        if (secret === undefined || matchesAny(harmless, secret)) return [];
        return [{ message: `declares ${secret} in clear: give it as a secret`, path }];
      });
    },
  }),
];
