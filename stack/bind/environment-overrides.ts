// What differs for one platform of an environment from its design: other values for its variables, components and attachments.
// It must not know clouds, nor how an environment is deployed.
import { kindInFile } from '../../provider';
import { entryOf, type MapNode } from '../reader/tree';
import { bindLaidComponents, type DesignedPlatform } from './environment-components';
import { knownPlatform, showsAll } from './platform-components';
import type { DraftResource } from './resource';
import type { BindScope } from './scope';
import { bindVariables } from './variable';

const platformKind = kindInFile('platforms.*');
const variableKind = kindInFile('variables.*');

/** A platform of an assembly that another stack owns: nothing is known of it but its name. */
const ownersPlatform = (name: string): DesignedPlatform => ({
  logicalName: name,
  names: ['platforms', name],
  args: { existing: true },
});

/** A platform's entry of an environment. */
interface PlatformEntry {
  readonly name: string;
  readonly body: MapNode | undefined;
}

/**
 * Binds what a platform's entry of an environment lays over the design's records. `designed`: the records of the design that the file declares. A platform
 * that it does not declare is the assembly's owner's.
 */
export function bindOverrides(
  scope: BindScope,
  environment: DraftResource,
  { name, body }: PlatformEntry,
  designed: readonly DraftResource[],
): readonly DraftResource[] {
  const declared = designed.find((record) => record.kind === platformKind && record.logicalName === name);
  const platform = declared ?? ownersPlatform(name);
  const inside = designed.filter(({ address }) => address.platform === name);
  const variables = inside.filter(({ kind }) => kind.token === variableKind.token);
  // What is not declared here may be declared where the platform is.
  const known = !showsAll(platform) ? {} : { known: variables.map(({ address }) => address.name ?? '') };
  return [
    ...bindVariables(scope, body, environment, { platform: name, ...known }),
    ...bindLaidComponents(scope, entryOf(body, 'components')?.value, {
      environment,
      platform,
      known: knownPlatform(name, designed),
      inside,
    }),
  ];
}
