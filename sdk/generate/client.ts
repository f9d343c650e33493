// The types of the client's methods as plain TypeScript: one method per route, with what its editor shows.
import { z } from 'zod';
import { methodParameters, routes, type Route } from '../../api/contract';

const HEADER = `// The areas of the client and their methods. Written by sdk/generate from the routes of the contract (npm run generate): do not edit.
import type { z } from 'zod';
import type { routes } from '../contract';

type Routes = typeof routes;
type Body<R> = R extends { readonly body: infer B } ? z.input<B> : never;
type Answer<R> = R extends { readonly answer: infer A } ? Promise<z.output<A>> : never;

/** A path parameter: a name, or a record's number. */
type Name = string | number;

/** What every method takes after its path parameters and body. */
export interface CallOptions {
  /** Parameters of the query; one that the route does not know is refused. */
  readonly query?: { readonly [name: string]: string | number | boolean } | undefined;
  /** Ends the call, and its pauses, with Aborted. */
  readonly signal?: AbortSignal | undefined;
}
`;

/** All of api/client/areas.ts. */
export function clientText(): string {
  const areas = Object.entries(routes).map(([area, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, route]) => methodText(area, verb, route as Route));
    return `  readonly ${area}: {\n${methods.join('')}  };\n`;
  });
  return `${HEADER}\n/** One method per route, by area. */\nexport interface Areas {\n${areas.join('')}}\n`;
}

function methodText(area: string, verb: string, route: Route): string {
  const { summary, repeat, query, body } = route;
  const type = `Routes['${area}']['${verb}']`;
  const words = [
    `${summary}.`,
    ...(repeat === 'action' ? ['Never sent twice.'] : []),
    ...(query.length === 0 ? [] : [`Query: ${query.join(', ')}.`]),
  ];
  const input = [
    ...methodParameters(route).map((name) => `${name}: Name`),
    ...(body instanceof z.ZodUndefined ? [] : [`body${body.safeParse(undefined).success ? '?' : ''}: Body<${type}>`]),
    'options?: CallOptions',
  ];
  return `    /** ${words.join(' ')} */\n    ${verb}(${input.join(', ')}): Answer<${type}>;\n`;
}
