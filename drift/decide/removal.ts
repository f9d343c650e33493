// Resources that leave a file.
import type { Entry, WrittenResource } from '../../stack';
import { startOf } from '../review/subjects';
import type { Edit } from './edits';
import { chainTo, fileText, isEntry, mapNode, type StackReading } from './file-tree';
import { removeEntry } from './splice';

/** Takes a resource out of the file, and the maps that contain nothing else. */
export function removal(reading: StackReading, written: WrittenResource, isResource: (entry: Entry) => boolean): Edit {
  const { own } = written;
  const isIncluded = reading.included.has(own.at.file);
  if (!isEntry(own) || (own.path.length < 2 && !isIncluded))
    return { reason: 'the file cannot be without it', at: startOf(own.at) };
  const chain = chainTo(reading, own);
  const text = fileText(reading, chain);
  let last = chain.length - 1;
  while (last > 1 && holdsOnly(chain[last - 1], chain[last]) && !isResource(chain[last - 1] as Entry)) last -= 1;
  const [holder, entry] = [chain[last - 1], chain[last]];
  if (entry === undefined || holder === undefined) return { reason: 'the file does not name it', at: startOf(own.at) };
  if (holder.path.length === 0 && mapNode(holder)?.entries.length === 1)
    return { reason: `it is all that ${own.at.file} contains: remove the file`, at: startOf(own.at) };
  return { file: own.at.file, splice: removeEntry(text, holder, entry) };
}

const holdsOnly = (holder: Entry | undefined, entry: Entry | undefined): boolean =>
  mapNode(holder)?.entries.length === 1 && mapNode(holder)?.entries[0] === entry;
