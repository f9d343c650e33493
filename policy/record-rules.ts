// Rules about records of every kind: names, descriptions, protection, secrets in clear.
// It must not know any single kind.
import { z } from 'zod';
import {
  effectiveValue,
  isPlainObject,
  kindOf,
  kinds,
  matchesAny,
  nearest,
  patterns,
  policyRule,
  SECRET_WORD,
  secretInText,
  type JudgedRecord,
  type PolicyRule,
  type RuleBreach,
} from '../provider';

const NAMES = kinds.map(({ token }) => token);

/** A kind for samples: a part of a design that other records are in. */
export const SAMPLE_KIND = kinds.find(({ within, cascades }) => within !== undefined && cascades)?.token ?? '';

/** Kinds by their names. */
export const kindNames = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((given) => [given].flat())
  .superRefine((given, context) => {
    for (const name of given) {
      if (kindOf(name) !== undefined) continue;
      const near = nearest(name, NAMES);
      const hint = near === undefined ? `there are ${NAMES.join(', ')}` : `did you mean "${near}"?`;
      context.addIssue({ code: 'custom', message: `there is no kind "${name}": ${hint}` });
    }
  })
  .describe('Kinds of the records, by their names');

const stack = (settings: string, platform: string): string =>
  `assembly: { name: shop, owner: team@acme.io${settings} }\nplatforms:\n  ${platform}\n`;

const WEB = 'web: { pack: oneops/tomcat:1 }';

/** A text that is nothing but a variable, which may be secret: `$OO_LOCAL{password}`. */
const REFERENCE = /^\$OO_[A-Z]+\{[\w-]+\}$/;

/** Texts of a value with their paths; those at secret places are left out. */
function textsIn(
  value: unknown,
  path: readonly string[],
  hidden: JudgedRecord['hidden'],
): readonly (readonly [readonly string[], string])[] {
  const isHidden = hidden.some(
    (each) => each.length <= path.length && each.every((step, index) => step === path[index]),
  );
  if (isHidden) return [];
  if (typeof value === 'string' || typeof value === 'number') return [[path, String(value)]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, path, hidden));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, [...path, name], hidden));
}

/** Rules about records of every kind. */
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
      if (!wanted.includes(record.kind.token) || !record.kind.named) return [];
      const name = effectiveValue(record, 'name');
      if (typeof name !== 'string' || matchesAny(allowed, name)) return [];
      return [{ message: `is named ${name}; allowed are ${allowed.join(', ')}`, path: ['name'] }];
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
    judge: (record, { kinds: wanted }) =>
      wanted.includes(record.kind.token) && effectiveValue(record, 'description') === ''
        ? [{ message: 'has no description', path: ['description'] }]
        : [],
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
        ? [{ message: 'is not protected: the option protect: true is required' }]
        : [],
  }),
  policyRule({
    name: 'no-secret-in-clear',
    demands: 'No value that looks like a secret, or whose name says so, is declared in clear.',
    parameters: z.strictObject({
      harmless: patterns('Names of arguments and attributes that contain no secret').default([]),
    }),
    sample: {
      parameters: {},
      wrong: `${stack('', WEB)}variables: { db_password: hunter2 }\n`,
      right: `config: { password: { type: string, secret: true } }\n${stack('', WEB)}variables: { db_password: { encrypted_value: "\${config.password}" } }\n`,
    },
    judge: ({ kind, args: all, hidden }, { harmless }): readonly RuleBreach[] => {
      const name = typeof all['name'] === 'string' ? all['name'] : '';
      // What steers a run is no value of a record.
      const args = Object.fromEntries(Object.entries(all).filter(([each]) => kind.fields[each]?.channel !== 'control'));
      return textsIn(args, [], hidden).flatMap(([path, text]) => {
        // A variable's own name says what its value is.
        const called = path.join('.') === 'value' ? name : (path.at(-1) ?? '');
        const isNamed = SECRET_WORD.test(called) && text !== '' && !REFERENCE.test(text) && path[0] !== 'name';
        const isSecret = isNamed || secretInText(text) !== undefined;
        if (!isSecret || matchesAny(harmless, called)) return [];
        return [{ message: `declares ${called} in clear: give it as a secret`, path }];
      });
    },
  }),
];
