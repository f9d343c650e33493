// Names that a record cannot have because the service has an address of its own in their place: a record `new` could be created, and not read.
// It must not know any single kind.
import { allRoutes } from '../../api/contract';
import type { Kind } from '../kind';
import { oncePer } from '../values/once-per';

const reads = allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);

/** Words that the service reads in place of a record's name, at the end of a kind's path. */
export const takenNames: (of: Pick<Kind, 'path'>) => readonly string[] = oncePer(({ path }) => {
  const start = path.slice(0, path.lastIndexOf('/') + 1);
  return reads
    .filter((read) => read.startsWith(start))
    .map((read) => read.slice(start.length))
    .filter((word) => word !== '' && !/[/{]/.test(word));
});
