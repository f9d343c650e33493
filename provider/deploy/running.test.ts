// The line that a deployment's row ends with.
import { type Instance, routes } from '../../api/contract';
import type { Work } from '../kind';
import { kinds } from '../kinds';
import { newSession } from '../session';
import { lookAtRunning, whatRuns } from './running';

const instance = (platform: string, cloud: string, address?: string): Instance =>
  ({
    nsPath: `/acme/shop/prod/bom/${platform}/1`,
    deployedTo: { ciName: cloud },
    ciAttributes: address === undefined ? {} : { public_ip: address },
  }) as unknown as Instance;

const many = (count: number, ...words: Parameters<typeof instance>): readonly Instance[] =>
  Array.from({ length: count }, () => instance(...words));

test.each<[string, readonly Instance[], string]>([
  ['nothing', [], 'nothing runs'],
  ['one instance without an address', [instance('web', 'east')], '1 instance: east 1'],
  [
    'two clouds and two platforms, in order',
    [
      ...many(2, 'web', 'west'),
      instance('web', 'west', '10.0.0.5'),
      instance('db', 'east', '10.0.0.9'),
      ...many(2, 'web', 'east', '10.0.0.4'),
    ],
    '6 instances: east 3, west 3; db 10.0.0.9, web 10.0.0.4',
  ],
  [
    'more platforms than fit',
    ['a', 'b', 'c', 'd'].map((name) => instance(name, 'east', '10.0.0.1')),
    '4 instances: east 4; a 10.0.0.1, b 10.0.0.1, …',
  ],
  [
    'more clouds than fit',
    Array.from({ length: 9 }, (_, at) => instance('web', `cloud-${at}`, '10.0.0.1')),
    '9 instances: cloud-0 1, cloud-1 1, cloud-2 1, …',
  ],
])('%s', (_, instances, text) => {
  expect(whatRuns(instances)).toBe(text);
});

const named = (ciName: string, rfcAction?: string) => ({ ciName, rfcAction, ciAttributes: {} });

test.each([
  ['is looked at where its deletion waits in the design', [named('web', 'delete'), named('db')], 1, ''],
  ['is looked at where it left the design', [named('db')], 1, ''],
  ['is looked at where it left the design and ran before', [named('db')], 0, 'web/east 2'],
])('a platform of the environment %s', async (_, design, instances, before) => {
  const answers = new Map<string, readonly object[]>([
    [routes.platforms.list.name, design],
    [routes.environmentPlatforms.list.name, [named('web'), named('db')]],
    [routes.operations.environmentInstances.name, [...many(instances, 'web', 'east'), instance('db', 'east')]],
  ]);
  const call = ({ name }: { readonly name: string }): Promise<unknown> => Promise.resolve(answers.get(name) ?? {});
  const row = { at: { environment: 'prod' }, args: {}, known: { running: before } };
  const work = { ...row, api: { call }, session: newSession(kinds) } as unknown as Work;
  expect((await lookAtRunning(work)).platforms.map(({ ciName }) => ciName)).toEqual(['web', 'db']);
});
