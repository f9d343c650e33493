// The list of all routes, grouped by area: the contract both ends are derived from.
import * as account from './account';
import * as catalogue from './catalogue';
import * as clouds from './clouds';
import * as design from './design';
import * as operations from './operations';
import type { Route } from '../route';
import * as transition from './transition';

type Routes = typeof account & typeof clouds & typeof catalogue & typeof design & typeof transition & typeof operations;

/** Every route, by area and verb: `routes.assemblies.create`. */
export const routes: Routes = { ...account, ...clouds, ...catalogue, ...design, ...transition, ...operations };

export const allRoutes: readonly Route[] = Object.values(routes).flatMap((area) => Object.values(area) as Route[]);
