// Failures of a disk and of a database file, as errors that say so.

/** The disk or the database file failed in the middle of a request: not a mistake of the service, and not of its client. */
export abstract class StorageFailure extends Error {}

/** The disk has no room for what was written; nothing of it is kept. */
export class StorageFull extends StorageFailure {
  constructor(cause?: unknown) {
    super(
      'the disk with the database of the service is full: nothing of this request was kept. Free space on that disk, then send the request again',
      { cause },
    );
    this.name = 'StorageFull';
  }
}

/** Pages of the file are damaged. */
export class DamagedDatabase extends StorageFailure {
  constructor(
    /** What SQLite found first. */
    readonly finding: string,
    cause?: unknown,
  ) {
    super(`the database is damaged (${finding}): put a copy in its place, or give --db a new file`, { cause });
    this.name = 'DamagedDatabase';
  }
}

/** The file is an SQLite database of another program. */
export class ForeignDatabase extends Error {
  constructor(readonly tables: readonly string[]) {
    super(
      `this is a database of another program (tables ${tables.slice(0, 3).join(', ')}), left as it was: give --db another file`,
    );
    this.name = 'ForeignDatabase';
  }
}

/** The database was written by another version of the service: opening it could lose what that version added. */
export class OtherVersion extends Error {
  constructor(
    readonly found: number,
    readonly known: number,
  ) {
    super(
      found > known
        ? `the database has version ${found}, this service knows versions up to ${known}: use the service that wrote it, or a newer one`
        : `the database has version ${found}, this service knows version ${known} only: use the service that wrote it, or give --db a new file`,
    );
    this.name = 'OtherVersion';
  }
}

/** The key next to the file is not the one its secrets and tokens were written with. */
export class WrongKey extends Error {
  constructor(readonly keyFile: string) {
    super(
      `${keyFile} is not the key of this database: put back the key file that was next to it. Without it, secrets and tokens are lost: give --db a new file`,
    );
    this.name = 'WrongKey';
  }
}
