// A place that keeps issues: a platform, or a folder. What an inbox needs of it, and nothing else.
import type { FilePatch, Issue, OwnerSyntax } from '../../drift';

/** An open pull or merge request of somebody who may write to the repository: those of others keep nothing silent. */
export interface OpenRequest {
  /** As texts of the platform refer to it: `#12`, `!12`. */
  readonly reference: string;
  readonly body: string;
  /** The files that it changes. */
  patches(): Promise<readonly FilePatch[]>;
}

/** A change of files to propose. */
export interface Proposal {
  readonly branch: string;
  /** The commit that the files were read at. */
  readonly commit: string;
  readonly title: string;
  readonly body: string;
  readonly files: readonly ProposedFile[];
}

/** A file of the repository; `before` is undefined for a new one. */
interface ProposedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly text: string;
}

/** The mark of a request that an inbox made: the findings that it settles. */
export const requestMark = (ids: readonly string[]): string => `<!-- pulumi-oneops inbox request ${ids.join(' ')} -->`;

/** The findings that a request of an inbox settles. */
export const requestedIds = (body: string): readonly string[] =>
  /^<!-- pulumi-oneops inbox request ([0-9a-f ]+) -->/m.exec(body)?.[1]?.split(' ') ?? [];

/** The place. What it refuses is thrown as a TrackerError. */
export interface Tracker {
  /** Whose syntax owners are written in. */
  readonly syntax: OwnerSyntax;
  /** Most characters of the text of an issue. */
  readonly limit: number;
  /** The issues with the label of an inbox, open and closed, in the order in which they were made. */
  issues(): Promise<readonly Issue[]>;
  /** The issue as it is now. */
  read(id: string): Promise<Issue>;
  create(title: string, body: string, key: string): Promise<Issue>;
  /** `declined` closes an issue as something that nobody will do. */
  update(id: string, body: string, state?: Issue['state']): Promise<void>;
  requests(): Promise<readonly OpenRequest[]>;
  /** What a proposal becomes: a request that is open until it is settled, or a file. */
  readonly proposes: 'request' | 'patch';
  /** Proposes a change. Returns how texts refer to it: if a request for the branch is open already, to that one. */
  propose(proposal: Proposal): Promise<string>;
  /** Closes a request of this run: another run had made one for the same findings before. */
  withdraw(reference: string): Promise<void>;
  /** Who ticked a box of the issue last; undefined where the place does not say. */
  ticker(id: string): Promise<string | undefined>;
  close(): void;
}

/** Why a place did not do what was asked: one message for a person. `isToken`: it refuses the token. */
export class TrackerError extends Error {
  constructor(
    message: string,
    readonly isToken: boolean = false,
  ) {
    super(message);
    this.name = 'TrackerError';
  }
}

/** Name of the label that marks the issues of an inbox: on a platform, only people who may edit issues can set it. */
export const LABEL = 'oneops-drift';
