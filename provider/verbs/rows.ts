// The `rows` verbs: things of an organization with a number, a name and times, without a class.
import type { Route } from '../../api/contract';
import { deleteOnce, sendOrFind } from './crud';
import { readOrGone } from './presence';
import type { Live } from '../address/live';
import type { Verbs, Work } from '../kind';

interface RowRoutes {
  readonly read: Route;
  readonly create: Route;
  readonly update: Route;
  readonly delete: Route;
}

interface Row {
  readonly id: number;
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
  readonly [column: string]: unknown;
}

/** Verbs over rows. `wrapper`: the word around a body, and the row's class in outputs. */
export function rows(at: RowRoutes, wrapper: string): Verbs {
  const read = async (work: Work): Promise<Live | undefined> => {
    const row = await readOrGone(work.api, work.at, () => work.api.call(at.read, { address: work.at }));
    return row === undefined ? undefined : liveRow(row as Row, wrapper);
  };
  return {
    read,
    create: (work) =>
      sendOrFind(work, read, async () => {
        const body = { [wrapper]: { name: work.address['name'], ...work.wire } };
        return liveRow((await work.api.call(at.create, { address: work.at, body })) as Row, wrapper);
      }),
    async update(work) {
      const body = { [wrapper]: work.changes };
      return liveRow((await work.api.call(at.update, { address: work.at, body })) as Row, wrapper);
    },
    delete: (work) => deleteOnce(() => work.api.call(at.delete, { address: work.at })),
  };
}

/** A row as the lifecycle compares it. A service says when it was written, and never by whom. */
function liveRow({ id, created_at: created, updated_at: changed, ...columns }: Row, className: string): Live {
  const written = changed ?? created ?? '';
  const texts = Object.entries(columns).map(([name, value]) => [name, textOf(value)] as const);
  return {
    ciId: id,
    className,
    wire: Object.fromEntries(texts),
    stamp: written || String(id),
    updated: Date.parse(written) || 0,
    updatedBy: '',
    origin: 'created',
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
