// What differs for one platform of an environment from its design: other values for its variables, components and attachments.
// It must not know clouds, nor how an environment is deployed.
import { kindInFile } from '../../provider';
import { entryOf, type MapNode } from '../reader/tree';
import { bindLaidComponents } from './environment-components';
import { showsAll } from './platform-components';
import type { DraftResource } from './resource';
import type { BindScope } from './scope';
import { bindVariables } from './variable';

const platformKind = kindInFile('platforms.*');
const variableKind = kindInFile('variables.*');

/** A platform's entry of an environment. */
interface PlatformEntry {
  readonly name: string;
  readonly body: MapNode | undefined;
}

/** Binds what a platform's entry of an environment lays over the design's records. `designed`: the records of the design that the file declares. */
export function bindOverrides(
  scope: BindScope,
  environment: DraftResource,
  { name, body }: PlatformEntry,
  designed: readonly DraftResource[],
): readonly DraftResource[] {
  const platform = designed.find((record) => record.kind === platformKind && record.logicalName === name);
  if (platform === undefined) return [];
  const inside = designed.filter(({ address }) => address.platform === name);
  const variables = inside.filter(({ kind }) => kind.token === variableKind.token);
  // What is not declared here may be declared where the platform is.
  const known = !showsAll(platform) ? {} : { known: variables.map(({ address }) => address.name ?? '') };
  return [
    ...bindVariables(scope, body, environment, { platform: name, ...known }),
    ...bindLaidComponents(scope, entryOf(body, 'components')?.value, { environment, platform, inside }),
  ];
}
