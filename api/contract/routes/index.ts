// The list of all routes, grouped by area: the contract both ends are derived from.
import * as account from './account';
import * as catalogue from './catalogue';
import * as clouds from './clouds';
import * as design from './design';
import * as operations from './operations';
import type { Route } from '../route';
import * as transition from './transition';

/** Every route, by area and verb: `routes.assemblies.create`. */
export const routes = { ...account, ...clouds, ...catalogue, ...design, ...transition, ...operations } as const;

/** Every route in one list. */
export const allRoutes: readonly Route[] = Object.values(routes).flatMap((area) => Object.values(area) as Route[]);
