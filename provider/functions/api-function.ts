// What a function is, as one typed literal (architecture §4 "Functions"): everything else is derived from it.
import type { z } from 'zod';
import type { Diagnostic, Route } from '../../api/contract';
import type { Args, Fields } from '../field';
import type { Results, ResultValues } from './result';

/** Path parameters, without the organization, and query of one GET. */
interface Question {
  readonly address?: { readonly [parameter: string]: string };
  readonly query?: { readonly [name: string]: string };
}

/** Sends a GET of one of the routes a function reads. */
export type Ask<R extends readonly Route[]> = <Q extends R[number]>(
  route: Q,
  question?: Question,
) => Promise<z.output<Q['answer']>>;

/** A data source: arguments, the routes it reads, and what it makes of their answers. */
export interface ApiFunction<
  A extends Fields = Fields,
  R extends readonly Route[] = readonly Route[],
  O extends Results = Results,
> {
  /** `getCloud`. */
  readonly token: string;
  readonly arguments: A;
  /** Every route it may read; nothing else is sent, and only GETs. */
  readonly reads: R;
  readonly result: O;
  /** What one argument alone cannot say. Values may contain unknowns. */
  rule?(args: Partial<Args<A>>): Diagnostic[];
  /** Reads, and projects the answers. */
  read(ask: Ask<R>, args: Args<A>, organization: string): Promise<ResultValues<O>>;
}

/** Declares a function; exists for inference. */
export function apiFunction<A extends Fields, const R extends readonly Route[], O extends Results>(
  literal: ApiFunction<A, R, O>,
): ApiFunction<A, R, O> {
  return literal;
}
