// The law that the examples of openapi.json are one story: those that need no number of a record are sent, to the paths of the document's own
// examples, and carried out.
import { DIALECTS, pathIn, methodIn, allRoutes, dialectRules } from '../../api/contract';
import { described } from '../described';
import { shopOf } from '../shop';

/** Operations in an order in which each finds what it needs. */
const STORY = [
  'organizations.update',
  'profile.changeOrganization',
  'teams.create',
  'environmentProfiles.create',
  'environmentProfiles.update',
  'clouds.update',
  'cloudVariables.create',
  'cloudVariables.update',
  'cloudSupports.create',
  'cloudSupports.update',
  'assemblies.update',
  'assemblies.clone',
  'platforms.create',
  'platforms.update',
  'components.create',
  'components.update',
  'components.updateServices',
  'designVariables.create',
  'designVariables.update',
  'platformVariables.create',
  'platformVariables.update',
  'attachments.create',
  'attachments.update',
  'attachments.updateInPlatform',
  'monitors.create',
  'monitors.update',
  'platforms.commit',
] as const;

/** The same once the design is in an environment. */
const LATER = [
  'environmentPlatforms.update',
  'environmentPlatforms.updateComponent',
  'environmentVariables.update',
  'environmentPlatformVariables.update',
  'environmentAttachments.update',
  'environmentAttachments.updateInPlatform',
  'relays.create',
  'relays.update',
  'operations.autorepair',
  'operations.autoreplace',
  'environments.load',
  'environments.commit',
] as const;

test.each(DIALECTS)(
  '%s: the service carries out the examples',
  async (dialect) => {
    const shop = shopOf(dialect);
    const { operations } = described(dialect);
    const refused: unknown[] = [];
    const tell = async (name: string): Promise<void> => {
      const route = allRoutes.find((each) => each.name === name);
      const { parameters = [], requestBody } = operations.get(name) ?? {};
      if (route === undefined) throw new Error(`no route is called ${name}`);
      const values = new Map(parameters.map((each) => [each.name, String(each.example ?? '')]));
      const path = pathIn(dialect, route).replaceAll(/\{([^}]+)\}/g, (_, each: string) => values.get(each) ?? '');
      const body = requestBody?.content['application/json']?.example;
      const { status, text } = await shop.send(methodIn(dialectRules[dialect], route), path, body);
      if (status !== 200) refused.push([name, path, status, text]);
    };
    await shop.assembly();
    await shop.platform('db');
    for (const name of STORY) await tell(name);
    expect(refused).toEqual([]);
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1' }));
    await shop.settled('prod');
    for (const name of LATER) await tell(name);
    expect(refused).toEqual([]);
    expect(shop.bugs).toEqual([]);
    shop.close();
  },
  30_000,
);
