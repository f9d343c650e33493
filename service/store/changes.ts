// Changes of open releases, written one by one: what stage.ts writes with.
// When a change is due, and what the records mean, is decided there.
import type {
  WriteStamp,
  ChangeFacts,
  NewRecord,
  NewRelation,
  StoredRecord,
  StoredRelation,
  StoredRelease,
} from './rows';
import { type VersionedRecords } from './records';
import { type VersionedRelations } from './relations';
import { addChange, type ChangeWrite, directRow, dropChange, writeChange } from './versioned-writes';

/** Writes open changes of records or of relations. */
interface ChangeWriter<New, Row> {
  /** A new row; returns it as it now reads. */
  add(release: StoredRelease, row: New, author: WriteStamp, facts?: ChangeFacts): Row;
  /** `row` is read merged; `values` are all values the change shall write, `base` the committed ones of the same attributes. */
  write(release: StoredRelease, row: Row, write: ChangeWrite, author: WriteStamp): void;
  drop(changeId: number): void;
}

/** Changes of open releases. */
export interface Changes {
  readonly records: ChangeWriter<NewRecord, StoredRecord>;
  readonly relations: ChangeWriter<NewRelation, StoredRelation>;
}

/** Writes of open changes. */
export function changesOf(records: VersionedRecords, relations: VersionedRelations): Changes {
  return {
    records: {
      add: (release, record, author, facts) => {
        const { className, impl = null } = record;
        const row = { ...directRow(records.numbers, record, author), className, impl, opsState: null };
        records.numbers.classId(className);
        return addChange(records, { release, author }, row, facts);
      },
      write: (release, record, write, author) => writeChange(records, { release, author }, record, write),
      drop: (id) => dropChange(records, id),
    },
    relations: {
      add: (release, relation, author, facts) => {
        const { fromId, toId } = relation;
        const row = { ...directRow(relations.numbers, relation, author), fromId, toId };
        return addChange(relations, { release, author }, row, facts);
      },
      write: (release, relation, write, author) => writeChange(relations, { release, author }, relation, write),
      drop: (id) => dropChange(relations, id),
    },
  };
}
