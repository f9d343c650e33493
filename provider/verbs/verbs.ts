// How the API manages a kind: what a lifecycle asks of it. `crud`, `rows`, `adopt` and `act` are implementations.
// It knows no engine and no kind.
export { Incomplete, type Live, type Owners, type RecordWrite, type RecordWrites } from '../live';
export type { GuardedChange, Judgement, UpdateWork, Verbs, Work } from '../model';
