// What the engine's delete of a record means, for every way in which a record can leave a program.
import type { Kind, Session } from '..';
import { kindOf, kinds } from '../kinds';
import { newSession } from '../session';
import { subjectKey } from '../session';
import { deletionOf } from './write';

const URN = 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Component::tomcat';
const component = kindOf('Component') as Kind;
const platform = subjectKey(kindOf('Platform') as Kind, 'acme/shop/web');
const key = subjectKey(component, 'acme/shop/web/tomcat');

/** Check sees the component: as known to the engine, or as new. */
const declare = ({ declarations }: Session, isNew: boolean, urn = URN): void =>
  declarations.declare(
    key,
    { of: component, address: {}, inputs: { platform: 'web', name: 'tomcat', type: 'tomcat' } },
    { isNew, urn },
  );

interface Case {
  readonly when: string;
  readonly happened: (session: Session) => void;
  readonly means: ReturnType<typeof deletionOf>;
  /** What the state knows, when it is more than nothing. */
  readonly known?: { readonly [name: string]: unknown };
  readonly urn?: string | undefined;
}

const CASES: readonly Case[] = [
  { when: 'nothing declares it', happened: () => undefined, means: 'delete' },
  {
    when: 'another resource declares it, as the engine knew it',
    happened: (session) => declare(session, false),
    means: 'given to another name',
  },
  {
    when: 'another resource declares it as new',
    happened: (session) => declare(session, true, `${URN}2`),
    means: 'given to another name',
  },
  {
    when: 'this run made it under another name',
    happened: ({ records }) => (records.of(key).isMade = true),
    means: 'given to another name',
  },
  {
    when: 'its diff replaces it',
    happened: (session) => {
      declare(session, false);
      session.records.noteReplaced(key, 'deletes');
    },
    means: 'delete amid the run',
  },
  {
    when: 'check asks for it once more as new, as an option of the run wants it replaced',
    happened: (session) => {
      declare(session, false);
      declare(session, true, `${URN}2`);
    },
    means: 'delete amid the run',
  },
  {
    when: 'check asks for it as new under its own name, as --replace does',
    happened: (session) => declare(session, true),
    means: 'delete amid the run',
  },
  {
    when: 'its replacement was made first and took it over',
    happened: (session) => {
      declare(session, true);
      session.records.of(key).isMade = true;
    },
    means: 'created again',
  },
  {
    when: 'its replacement was made first, and nobody tells its URN',
    happened: (session) => {
      declare(session, true);
      session.records.of(key).isMade = true;
    },
    urn: undefined,
    means: 'given to another name',
  },
  {
    when: 'a sweep deleted it',
    happened: ({ records }) => (records.of(key).swept = 1233),
    known: { ciId: 1233 },
    means: 'swept',
  },
  {
    when: 'a sweep deleted another one of its name',
    happened: ({ records }) => (records.of(key).swept = 1240),
    known: { ciId: 1233 },
    means: 'delete',
  },
  {
    when: 'its platform is replaced',
    happened: ({ records }) => records.noteReplaced(platform, 'deletes'),
    means: 'inside replaced',
  },
  {
    when: 'its platform is replaced and stays, since another stack owns it',
    happened: ({ records }) => records.noteReplaced(platform, 'keeps'),
    means: 'delete',
  },
  {
    when: 'its platform is replaced, and another resource declares it',
    happened: (session) => {
      declare(session, false);
      session.records.noteReplaced(platform, 'deletes');
    },
    means: 'given to another name',
  },
];

test.each(CASES)('a delete when $when: $means', ({ happened, means, known = {}, ...rest }) => {
  const session = newSession(kinds);
  happened(session);
  const urn = 'urn' in rest ? rest.urn : URN;
  expect(deletionOf({ of: component, session }, { id: 'acme/shop/web/tomcat', known, urn })).toBe(means);
});
