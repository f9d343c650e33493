// What a procedure is asked to run: whether instances take turns is always said, since the live service runs all at the same time where nothing is.
import { routes, type Route } from '../../../api/contract';
import type { Work } from '../../kind';
import { definitionOf } from './procedure';

const ANSWERS: { readonly [route: string]: unknown } = {
  [routes.operations.instances.name]: [
    { ciId: 1, ciName: 'compute-7-1' },
    { ciId: 2, ciName: 'compute-7-2' },
  ],
  [routes.operations.actions.name]: [{ actionName: 'reboot' }],
};

const workOf = (args: object): Work =>
  ({
    at: { component: '7' },
    args: { action: 'reboot', ...args },
    api: { call: ({ name }: Route) => Promise.resolve(ANSWERS[name]) },
  }) as unknown as Work;

test.each([
  [{}, 'one-by-one'],
  [{ execStrategy: 'one-by-one' }, 'one-by-one'],
  [{ execStrategy: 'parallel' }, 'parallel'],
])('declared %j, instances run %s', async (args, execStrategy) => {
  expect(await definitionOf(workOf(args), 'restart')).toMatchObject({
    flow: [{ targetIds: ['1', '2'], execStrategy }],
  });
});
