// A cloud service's body in both dialects, and every other body untouched.
import { routes } from '../contract';
import { encodeForDialect } from './dialect';

const body = { cms_ci: { ciName: 'nova', ciAttributes: { tenant: 'acme' } }, mgmtCiId: '7' };

test('the documented dialect takes the record itself', () => {
  expect(encodeForDialect(routes.cloudServices.create, 'documented', body).body).toEqual({
    ciName: 'nova',
    ciAttributes: { tenant: 'acme' },
    mgmtCiId: '7',
  });
});

test.each([
  [routes.cloudServices.create, 'classic', body],
  [routes.clouds.create, 'documented', body],
  [routes.cloudServices.update, 'documented', { ciName: 'nova' }],
] as const)('a body is left as it is', (route, dialect, given) => {
  expect(encodeForDialect(route, dialect, given).body).toBe(given);
});
