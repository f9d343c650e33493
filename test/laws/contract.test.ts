// The rows of api.md §4 as data, and the law that each is a route of the contract.
import { allRoutes } from '../../api/contract';

/** Method and path of each row of api.md §4, in its order; placeholders as the contract names them. */
const A = '/{organization}/assemblies/{assembly}';
const DP = `${A}/design/platforms`;
const AT = `${DP}/{platform}/components/{component}/attachments`;
const E = `${A}/transition/environments/{environment}`;
const O = `${A}/operations/environments/{environment}/platforms/{platform}/components/{component}`;
const ROWS: readonly string[] = [
  'GET /account/organizations',
  'GET /{organization}/clouds',
  'GET /{organization}/clouds/{cloud}',
  'POST /{organization}/clouds',
  'GET /{organization}/clouds/locations.json',
  'GET /{organization}/clouds/{cloud}/services/available.json',
  'GET /{organization}/clouds/{cloud}/services/{service}',
  'GET /{organization}/clouds/{cloud}/services/{service}/new.json',
  'POST /{organization}/clouds/{cloud}/services/',
  'PUT /{organization}/clouds/{cloud}/services/{service}',
  'GET /{organization}/reports/compute.json',
  'GET /cloud/offerings',
  'GET /cloud/services',
  'GET /{organization}/clouds/offerings',
  'GET /{organization}/clouds/services',
  'GET /{organization}/assemblies',
  `GET ${A}`,
  'POST /{organization}/assemblies',
  `PUT ${A}`,
  `DELETE ${A}`,
  `GET ${DP}`,
  `GET ${DP}/{platform}`,
  `POST ${DP}`,
  `DELETE ${DP}/{platform}`,
  `PUT ${DP}/{platform}/components`,
  `PUT ${DP}/{platform}/variables`,
  `GET ${AT}`,
  `POST ${AT}`,
  `GET ${AT}/{attachment}`,
  `PUT ${AT}/{attachment}`,
  `DELETE ${AT}/{attachment}`,
  `GET ${E}`,
  `POST ${E}`,
  `DELETE ${E}`,
  `PUT ${E}/platforms/{platform}/cloud_configuration`,
  `POST ${E}/commit`,
  `GET ${E}/releases/bom`,
  `GET ${E}/releases/latest`,
  `POST ${E}/deployments/`,
  `GET ${E}/deployments/{deployment}/status`,
  `PUT ${E}/disable`,
  `POST ${E}/pull`,
  `POST ${E}/releases/{release}/discard`,
  `GET ${O}`,
  `GET ${O}/actions`,
  `GET ${O}/instances`,
  `PUT ${O}/instances/{instance}/state`,
  `GET ${A}/operations/environments/{environment}/platforms/{platform}/components/compute/instances.json`,
  'POST /{organization}/operations/procedures',
  'GET /{organization}/operations/procedures/{procedure}',
];

test.each(ROWS)('%s is a route', (row) => {
  const found = allRoutes.filter((route) => `${route.method} ${route.path}` === row);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ documented: true });
});

test('no other route claims to be documented', () => {
  const documented = allRoutes.filter((route) => route.documented).map((route) => `${route.method} ${route.path}`);
  expect(documented.sort()).toEqual([...ROWS].sort());
});

test('names of routes are unique, and so are method and path', () => {
  expect(new Set(allRoutes.map((route) => route.name)).size).toBe(allRoutes.length);
  expect(new Set(allRoutes.map((route) => `${route.method} ${route.path}`)).size).toBe(allRoutes.length);
});
