// Clouds of the organization and their services, where a file declares them.
// It must not know which environments use them.
import { entryOf, type MapNode } from '../reader/tree';
import { reportNamesakes } from './namesakes';
import { bindRecords } from './records';
import type { DraftResource } from './resource';
import type { BindScope } from './scope';

/** Binds all clouds, each followed by its services. */
export function bindClouds(scope: BindScope, root: MapNode): readonly DraftResource[] {
  const clouds = bindRecords(
    scope,
    { body: root },
    { path: 'clouds.*', what: 'clouds by name', hint: 'NAME: { location: aws }', structure: ['services'] },
  );
  const named = entryOf(root, 'clouds')?.value;
  reportNamesakes(scope, named?.form === 'map' ? named.entries : [], 'a cloud', 'the organization');
  return clouds.flatMap((cloud) => [cloud, ...bindServices(scope, cloud)]);
}

const bindServices = (scope: BindScope, cloud: DraftResource): readonly DraftResource[] =>
  bindRecords(
    scope,
    { draft: cloud, body: cloud.body },
    { path: 'clouds.*.services.*', what: 'services by template', hint: 'TEMPLATE: { attributes: { … } }' },
  );
