// Routes of a collection of records: list, template, read, create, update and delete follow from its path and from what a record is called.
import { z } from 'zod';
import { record, templateSchema } from './record';
import { route, type Route } from './route';

/**
 * The routes of a collection. What each is for in its place, its summary says. Declarations of the routes name the type.
 *
 * @public
 */
export interface Collection<
  N extends string,
  P extends string,
  I extends string,
  B extends z.ZodType,
  A extends z.ZodType = typeof record,
> {
  /** Lists the records of this area. */
  readonly list: Route<P, z.ZodUndefined, z.ZodArray<A>, `${N}.list`>;
  /** Reads what a new record of this area begins with. */
  readonly template: Route<`${P}/new`, z.ZodUndefined, typeof templateSchema, `${N}.template`>;
  /** Reads a record of this area. */
  readonly read: Route<`${P}/{${I}}`, z.ZodUndefined, A, `${N}.read`>;
  /** Creates a record of this area. */
  readonly create: Route<P, B, A, `${N}.create`>;
  /** Changes a record of this area. */
  readonly update: Route<`${P}/{${I}}`, B, A, `${N}.update`>;
  /** Deletes a record of this area. */
  readonly delete: Route<`${P}/{${I}}`, z.ZodUndefined, z.ZodOptional<z.ZodNullable<A>>, `${N}.delete`>;
}

type Verb = keyof Collection<string, string, string, z.ZodType>;

interface CollectionFacts<B extends z.ZodType, A extends z.ZodType, V extends Verb> {
  /** The routes there are. */
  readonly verbs: readonly V[];
  /** What a record is called: `variable of a cloud`. */
  readonly noun: string;
  /** What the records are called; default: the noun with an s after its first word. */
  readonly nouns?: string;
  /** Summaries that say more, or otherwise. */
  readonly summaries?: { readonly [W in V]?: string };
  /** Body of a create and an update; default: none. */
  readonly body?: B;
  /** Default: a record. */
  readonly answer?: A;
  /** Section of service-facts. */
  readonly source: string;
  /** Routes that the published documentation of the API lists. */
  readonly documented?: readonly V[];
}

/** Declares the routes of a collection: `collection('relays', `${ENVIRONMENT}/relays`, 'relay', { noun: 'mail relay', … })`. */
export function collection<
  const N extends string,
  const P extends `/${string}`,
  const I extends string,
  const V extends Verb,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = typeof record,
>(name: N, path: P, item: I, facts: CollectionFacts<B, A, V>): Pick<Collection<N, P, I, B, A>, V> {
  const { noun, nouns = noun.replace(/^\w+/, '$&s'), source, documented = [] } = facts;
  const body = facts.body ?? (z.undefined() as unknown as B);
  const answer = facts.answer ?? record;
  const one = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const at = `${path}/{${item}}` as const;
  const routes = {
    list: { line: `GET ${path}`, summary: `Lists the ${nouns}`, answer: z.array(answer) },
    template: { line: `GET ${path}/new`, summary: `Reads what a new ${noun} begins with`, answer: templateSchema },
    read: { line: `GET ${at}`, summary: `Reads ${one}`, answer },
    create: { line: `POST ${path}`, summary: `Creates ${one}`, answer, body },
    update: { line: `PUT ${at}`, summary: `Changes ${one}`, answer, body },
    delete: { line: `DELETE ${at}`, summary: `Deletes ${one}`, answer: answer.nullish() },
  } as const;
  const entries = facts.verbs.map((verb) => {
    const { line, ...own } = routes[verb];
    const summary = facts.summaries?.[verb] ?? own.summary;
    return [
      verb,
      route(`${name}.${verb}`, line, { ...own, summary, source, documented: documented.includes(verb) }),
    ] as const;
  });
  return Object.fromEntries(entries) as unknown as Pick<Collection<N, P, I, B, A>, V>;
}
