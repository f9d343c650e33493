// Reviews many stacks in one process, several at a time. Shared lists are read once.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { wasLetIn } from '../review/outcome';
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { Bug, OneOpsError } from '../../api/errors';
import { formatId } from '../../provider';
import { assembly } from '../../provider/kinds';
import { bareReview, bareService } from '../report/shown-text';
import { pathTo, UnusableCode } from '../review/sources';
import { undeclaredFinding } from '../review/findings';
import { attempt, inOneLine, recordingApi, type SharedReads, sideBySide } from '../review/reading';
import { reviewStack, type ReviewOptions } from '../review/review-stack';
import { type Outcome, type Review, type Severity } from '../review/review';
import { newRedact } from '../review/compare';
import type { FleetFacts, FleetStack, OrganizationAssemblies } from './fleet';
import { defined } from '../../provider/values';

export type FleetTarget = Pick<FleetStack, 'name' | 'stack' | 'folder'>;

/** What the review of a stack takes, and the policies that it must keep afterwards. */
export type OpenedStack = ReviewOptions & {
  readonly hold?: (review: Review) => Review;
};

interface FleetOptions {
  /** Opens a stack; undefined without a record of OneOps. A failure is reported for the stack. */
  readonly open: (target: FleetTarget) => Promise<OpenedStack | undefined>;
  /** Stacks reviewed at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Most requests of all reviews. Default: as many as it takes. */
  readonly maxCalls?: number | undefined;
  /** Milliseconds after which the rest is reported as unread. Default: no limit. */
  readonly timeout?: number | undefined;
  readonly failOn?: Severity;
  /** Clients of the organizations whose assemblies are listed after the stacks. */
  readonly organizations?: () => readonly Api[];
  /** Whether a failure to open says that the service let nobody in. */
  readonly isUnauthorized?: (error: unknown) => boolean;
}

export async function reviewFleet(
  targets: readonly FleetTarget[],
  options: FleetOptions,
): Promise<Omit<FleetFacts, 'notes'>> {
  const { failOn = 'low', concurrency = 4 } = options;
  const started = Date.now();
  const budget = newBudget(options);
  const stacks: FleetStack[] = [];
  await sideBySide(targets, concurrency, async (target) => {
    stacks.push(await reviewTarget(target, options, budget));
    budget.rest();
  });
  const organizations = await Promise.all((options.organizations?.() ?? []).map((api) => assembliesOf(api, budget)));
  return { started, took: Date.now() - started, missing: [], stacks, organizations, failOn, calls: budget.calls() };
}

type Budget = ReturnType<typeof newBudget>;

/** Shared by all reviews: answers by client, the number of requests, and the time limit. */
function newBudget({ maxCalls = Infinity, timeout }: FleetOptions) {
  const answers = new Map<Api, ReturnType<typeof fleetAnswers>>();
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  let calls = 0;
  return {
    signal,
    calls: () => calls,
    rest: () => answers.forEach(({ rest }) => rest()),
    /** Why nothing more can be read. */
    spent: () =>
      calls >= maxCalls
        ? `the ${maxCalls} requests of --max-calls are used up`
        : signal?.aborted
          ? 'the time of --timeout is over'
          : undefined,
    shared: (api: Api): SharedReads => {
      const own = answers.get(api) ?? fleetAnswers();
      answers.set(api, own);
      return { answers: own.answers, take: () => calls < maxCalls && (calls += 1) > 0 };
    },
  };
}

/** Reviews one stack. The reason takes the place of a review that is not possible. */
async function reviewTarget(target: FleetTarget, options: FleetOptions, budget: Budget): Promise<FleetStack> {
  const without = (outcome: Outcome, reason: string): FleetStack => ({ ...target, outcome, summary: reason });
  const spent = budget.spent();
  if (spent !== undefined) return without('incomplete', `it was not begun: ${spent}`);
  const { failOn } = options;
  try {
    const opened = await options.open(target);
    if (opened === undefined)
      return { ...without('in-sync', 'it contains no record of OneOps'), declares: { service: '', assemblies: [] } };
    const { signal } = budget;
    const made = await reviewStack({ ...opened, shared: budget.shared(opened.api), signal, ...defined({ failOn }) });
    const held = opened.hold?.(made) ?? made;
    const review = bareReview(held);
    const { outcome, summary } = held;
    const authentication = wasLetIn(made) ? undefined : (true as const);
    const facts = { outcome, summary, ...defined({ authentication }) };
    const declares = { service: review.service, assemblies: assembliesIn(opened) };
    return { ...target, ...facts, review, declares };
  } catch (error) {
    if (error instanceof Bug || !(error instanceof Error)) throw error;
    const reason = error instanceof UnusableCode ? error.short : inOneLine(error);
    const unread = without('incomplete', reason);
    return options.isUnauthorized?.(error) ? { ...unread, authentication: true } : unread;
  }
}

function assembliesIn({ api: { organization }, code, state }: ReviewOptions): readonly string[] {
  const records = [...(code ?? []), ...(state?.records ?? [])];
  const names = records.flatMap((record) => pathTo(record)['assembly'] ?? []);
  return [...new Set(names)].sort().map((name) => `${organization}/${name}`);
}

/** The assemblies of an organization, as findings that hold if no stack declares them. */
async function assembliesOf(api: Api, budget: Budget): Promise<OrganizationAssemblies> {
  const { organization } = api;
  const service = bareService(api.url);
  const reading = recordingApi(api, { signal: budget.signal, shared: budget.shared(api) }).api;
  const context = { organization, redact: newRedact(), severities: [], hasCode: true, hasState: true };
  const records = await attempt(() => reading.call(routes.assemblies.list, {}));
  if (records instanceof OneOpsError) return { service, organization, assemblies: [], problem: inOneLine(records) };
  const assemblies = records.map((record) => {
    const id = formatId(assembly, organization, { name: record.ciName });
    return undeclaredFinding(context, { kind: assembly, id, record, isElsewhere: true, isNamesake: false });
  });
  assemblies.sort((left, right) => (left.address < right.address ? -1 : 1));
  return { service, organization, assemblies };
}

const LARGE = 2_000;

/** Answers of a fleet. `rest` compresses those that have arrived, after each review. */
export function fleetAnswers(): { readonly answers: SharedReads['answers']; readonly rest: () => void } {
  const awake = new Map<string, Promise<unknown>>();
  const arrived = new Map<string, unknown>();
  const packed = new Map<string, Uint8Array>();
  return {
    answers: {
      get: (key) => {
        const bytes = packed.get(key);
        return bytes === undefined
          ? awake.get(key)
          : Promise.resolve(JSON.parse(inflateRawSync(bytes).toString()) as unknown);
      },
      set: (key, answer) => {
        if (packed.has(key)) return;
        awake.set(key, answer);
        answer.then(
          (value) => arrived.set(key, value),
          () => undefined,
        );
      },
    },
    rest: () => {
      for (const [key, value] of arrived) {
        const text = JSON.stringify(value) ?? 'null';
        if (text.length < LARGE) continue;
        packed.set(key, new Uint8Array(deflateRawSync(text, { level: 1 })));
        awake.delete(key);
      }
      arrived.clear();
    },
  };
}
