// The Procedure kind: an action run on instances of a component, once per trigger (flows §3.11).
import { createHash } from 'node:crypto';
import { type Procedure, routes } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { isApiError, messageOf, orNone, TransportError } from '../../../api/errors';
import { Incomplete, type Live } from '../../address/live';
import { LifecycleError, orElse } from '../../errors';
import { control, flag, int, map, noted, oneOf, text, trigger, words } from '../../values/field';
import { type Address, kind, type Verbs, type Work } from '../../kind';
import { inState } from '../../secrets/mask';
import { didYouMean } from '../../values/text';
import { holdsUnknown, textAt, type Values } from '../../values/plain';
import { act, resultOf } from '../../verbs/act';
import { allInstances, wantedInstances, runningAddress } from '../../verbs/named-component';
import { mayBeThere } from '../../verbs/presence';
import { TimedOutWaiting, waitUntil } from '../../verbs/waiting';
import { environment } from './kind';

// Following a procedure: what is done, and what failed (service-facts §2.5, §3.7).

export const isRunning = ({ procedureState }: Procedure): boolean => ['pending', 'active'].includes(procedureState);

/** Asks until the procedure has ended. Throws TimedOutWaiting after `timeout` minutes. */
async function awaitProcedure(work: Work, procedure: Procedure): Promise<Procedure> {
  const names = await namesOf(work);
  let lastLine = '';
  return waitUntil(
    work,
    { what: `procedure ${procedure.procedureId}` },
    () => work.api.call(routes.procedures.read, { address: { ...work.at, procedure: String(procedure.procedureId) } }),
    (now) => {
      const line = procedureLine(now, names);
      if (line !== lastLine) work.progress(line);
      lastLine = line;
      return !isRunning(now);
    },
  );
}

type Names = ReadonlyMap<number, string>;

async function namesOf(work: Work): Promise<Names> {
  return new Map((await allInstances(work)).map(({ ciId, ciName }) => [ciId, ciName]));
}

/** `1/3 compute-6201-2 active`. `names`: those of the instances, by their numbers. */
export function procedureLine({ actions, procedureState }: Procedure, names: Names): string {
  const all = actions ?? [];
  const done = all.filter(({ actionState }) => actionState === 'complete').length;
  const running = all.filter(({ actionState }) => actionState === 'inprogress').map(({ ciId }) => nameOf(ciId, names));
  return [`${done}/${all.length}`, running.slice(0, 3).join(', '), procedureState]
    .filter((part) => part !== '')
    .join(' ');
}

const nameOf = (ciId: number | null | undefined, names: Names): string => names.get(ciId ?? 0) ?? `record ${ciId}`;

/** A line for each action that failed, with its last logged error, if logs are readable. */
export async function failedActions(api: Api, address: Address, names: Names): Promise<readonly string[]> {
  // The service may refuse the actions and their logs.
  const status = await orElse(api.call(routes.procedures.status, { address }), undefined, isApiError);
  return (status?.actions ?? [])
    .filter(({ actionState }) => actionState === 'failed')
    .map(({ actionId, actionName, ciId }) => {
      const logged = status?.log_data.find(({ id }) => id === actionId)?.logData ?? [];
      const said = logged.findLast(({ level }) => level === 'ERROR')?.message;
      return `  ${nameOf(ciId, names)}: ${actionName} failed${said === undefined ? '' : `: ${said}`}`;
    });
}

// What a procedure runs: targets, and an action of their class or a script on demand.

/** The action that runs an attachment; `extraInfo` names the attachment (service-facts §4.8). */
const ATTACHMENT_ACTION = 'user-custom-attachment';

/** The procedure that is declared. Throws without instances, or without the action. */
export async function declaredProcedure(work: Work, name: string, ciId: number): Promise<NewProcedure> {
  const instances = await wantedInstances(work);
  if (instances.length === 0) {
    throw new LifecycleError(
      `${work.at['platform']}/${work.address['component']} has no instances in ${work.at['environment']}`,
      'deploy the environment first; in a program that declares its Deployment the procedure comes after it',
    );
  }
  const about = { name, ciId, arglist: textAt(work.args, 'arglist') };
  return newProcedure(about, instances, await actionOf(work), textAt(work.args, 'execStrategy') || undefined);
}

type NewProcedure = ReturnType<typeof newProcedure>;

/** What a create sends: an action on instances of the component that `ciId` numbers. */
export const newProcedure = (
  { name, ciId, arglist = '' }: { readonly name: string; readonly ciId: number; readonly arglist?: string },
  instances: readonly { readonly ciId: number }[],
  action: object,
  // Always sent: the live service's default is all at the same time.
  execStrategy = 'one-by-one',
) => ({
  procedureCiId: '0',
  procedureName: name,
  ciId: String(ciId),
  procedureState: 'active',
  arglist,
  definition: JSON.stringify({
    name,
    flow: [
      {
        targetIds: instances.map((each) => String(each.ciId)),
        relationName: 'base.RealizedAs',
        direction: 'from',
        execStrategy,
        actions: [{ ...action, stepNumber: 1, isCritical: true }],
      },
    ],
  }),
});

/** The actions of a component by name, and its attachments on demand. */
export async function runnableOn(api: Api, address: Address): Promise<ReadonlyMap<string, object>> {
  const known = await api.call(routes.operations.actions, { address });
  const found = new Map<string, object>();
  for (const { actionName } of known) if (actionName !== ATTACHMENT_ACTION) found.set(actionName, { actionName });
  for (const { actionName, actionId, description } of known)
    if (actionName === ATTACHMENT_ACTION && !found.has(description ?? ''))
      found.set(description ?? '', { actionName, extraInfo: String(actionId) });
  return found;
}

async function actionOf(work: Work): Promise<object> {
  const wanted = textAt(work.args, 'action');
  const arglist = 'arglist' in work.args ? { arglist: textAt(work.args, 'arglist') } : {};
  const known = await runnableOn(work.api, work.at);
  const found = known.get(wanted);
  if (found !== undefined) return { ...found, ...arglist };
  const names = [...known.keys()];
  throw new LifecycleError(
    `${work.address['component']} has no action "${wanted}", and no attachment of that name that runs on demand`,
    didYouMean(wanted, names, `it has ${names.join(', ') || 'none'}`),
  );
}

/** The state of a procedure whose answer was lost, and that no list showed. */
const UNKNOWN_STATE = 'unknown';
const MAY_RERUN = 'look at what it did; to have it run again, declare rerun: true, or change its triggers';

const mayRerun = (work: Work): boolean => work.args['rerun'] === true;
const knownId = (work: Work): number => Number(work.known?.['procedureId'] ?? 0);

/** What it runs, as one text: the same text is the same run. */
function wish(args: Work['args']): string {
  const { action, arglist = '', instances, execStrategy = '', triggers } = args;
  const names = Array.isArray(instances) ? instances.map(String).sort() : null;
  const values = Object.entries(triggers ?? {}).map(([name, value]) => [name, String(value)]);
  return JSON.stringify([
    action,
    arglist,
    names,
    execStrategy,
    values.sort(([one = ''], [two = '']) => (one < two ? -1 : 1)),
  ]);
}

/** Name of this run in the list: of the same wish, the one after procedure `previous`. */
function markedName(work: Work, previous: number): string {
  const digest = createHash('sha256')
    .update(`${work.id}\n${wish(work.args)}\n${previous}`)
    .digest('hex');
  return `${textAt(work.args, 'action')}-pulumi-oneops-${digest.slice(0, 12)}`;
}

/** The newest procedure of a name; `unlisted` where the service has no list. */
async function findNamed(work: Work, ciId: number, name: string): Promise<Procedure | 'none' | 'unlisted'> {
  const query = { ciId: String(ciId), name, size: '1' };
  const listed = await orNone(work.api.call(routes.procedures.list, { address: work.at, query }));
  return listed === undefined ? 'unlisted' : (listed.find(({ procedureName }) => procedureName === name) ?? 'none');
}

/** Runs it, unless a run of the same name exists: then that one is followed to its end. */
async function runOnce(its: Work, previous: number): Promise<Live> {
  const work = { ...its, at: await runningAddress(its) };
  const { ciId } = await work.api.call(routes.operations.component, { address: work.at });
  const name = markedName(work, previous);
  const found = await findNamed(work, ciId, name);
  if (found === 'unlisted' && work.known?.['state'] === UNKNOWN_STATE && !mayRerun(work)) throw lost(work, ciId);
  if (typeof found === 'string') return follow(work, await start(work, ciId, name));
  if (work.known === undefined && found.procedureState === 'complete') {
    if (mayRerun(work)) return runOnce(work, found.procedureId);
    work.notice(`procedure ${found.procedureId} ran already for these triggers: not run again`);
  }
  return goOn(work, found);
}

/** Sends it once. A lost answer is settled by the list, or kept as unknown. */
async function start(work: Work, ciId: number, name: string): Promise<Procedure> {
  const cms_procedure = await declaredProcedure(work, name, ciId);
  try {
    return await work.api.call(routes.procedures.create, { address: work.at, body: { cms_procedure } });
  } catch (error) {
    if (!mayHaveStarted(error)) throw error;
    const found = await findNamed(work, ciId, name);
    if (typeof found === 'string') throw lost(work, ciId, error);
    return found;
  }
}

/** Whether a failed request may have done its work. */
const mayHaveStarted = (error: unknown): boolean => {
  if (isApiError(error)) return error.status >= 500;
  return error instanceof TransportError ? error.sent !== false : mayBeThere(error);
};

/** Takes up a procedure that was started before. */
async function goOn(work: Work, procedure: Procedure): Promise<Live> {
  const { procedureId, procedureState } = procedure;
  if (isRunning(procedure)) {
    work.progress(`joins procedure ${procedureId}, which is ${procedureState}`);
    return follow(work, procedure);
  }
  if (procedureState === 'complete') return liveAt(procedure);
  if (!mayRerun(work)) throw await failed(work, procedure);
  if (procedureState !== 'failed') return runOnce(work, procedureId);
  work.progress(`runs what failed of procedure ${procedureId} again`);
  const again = await work.api.call(routes.procedures.update, {
    address: { ...work.at, procedure: String(procedureId) },
    body: { cms_procedure: { procedureState: 'active' } },
  });
  return follow(work, again);
}

async function follow(work: Work, procedure: Procedure): Promise<Live> {
  try {
    const ended = await awaitProcedure(work, procedure);
    if (ended.procedureState === 'complete') return liveAt(ended);
    throw await failed(work, ended);
  } catch (error) {
    if (!(error instanceof TimedOutWaiting)) throw error;
    throw incomplete(liveAt(procedure), procedure.procedureState, [error.message]);
  }
}

async function failed(work: Work, procedure: Procedure): Promise<Incomplete> {
  const { procedureId, procedureState } = procedure;
  const lines = [
    `procedure ${procedureId} ${inState(procedureState)}`,
    ...(await failedActions(work.api, { ...work.at, procedure: String(procedureId) }, await namesOf(work))),
    MAY_RERUN,
  ];
  return incomplete(liveAt(procedure), procedureState, lines);
}

const incomplete = (live: Live, state: string, reason: readonly string[]): Incomplete =>
  new Incomplete({ ...live, outputs: { ...live.outputs, state } }, [reason.join('\n')]);

/** Kept as unknown, with the procedure before it, so that its name stays. */
function lost(work: Work, ciId: number, cause?: unknown): Incomplete {
  const reason = [
    'nobody knows whether it ran: the answer was lost, and the service lists no such procedure',
    ...(cause === undefined ? [] : [`  ${messageOf(cause)}`]),
    'the next run looks for it once more; where the service has no list of procedures, declare rerun: true to run it again',
  ];
  return incomplete({ ...keptLive(work), ciId }, UNKNOWN_STATE, reason);
}

const liveAt = ({ procedureId, ciId, updated, createdBy }: Procedure): Live =>
  resultOf('procedure', {
    ciId: ciId ?? 0,
    stamp: String(procedureId),
    updated: Number(updated ?? 0),
    updatedBy: typeof createdBy === 'string' ? createdBy : '',
    outputs: { procedureId },
  });

const keptLive = ({ known }: Work): Live =>
  resultOf('procedure', {
    ciId: Number(known?.['ciId'] ?? 0),
    stamp: textAt(known, 'revision', '0'),
    updated: Number(known?.['updated'] ?? 0),
    updatedBy: textAt(known, 'updatedBy'),
    outputs: { procedureId: Number(known?.['procedureId'] ?? 0) },
  });

/** A procedure by number; the live service answers 500 for a forgotten one (service-facts §7.1). */
function readProcedure(work: Work, id: number): Promise<Procedure | undefined> {
  const asked = work.api.call(routes.procedures.read, { address: { ...work.at, procedure: String(id) } });
  return orElse(asked, undefined, (error) => isApiError(error) && [404, 500].includes(error.status));
}

/** Another wish is another run; an incomplete one is taken up. */
async function update(work: Work): Promise<Live> {
  const state = textAt(work.known, 'state');
  if (wish(work.args) !== wish(work.known ?? {}) || state === UNKNOWN_STATE) return runOnce(work, knownId(work));
  const procedure = state === 'complete' ? undefined : await readProcedure(work, knownId(work));
  if (procedure !== undefined) return goOn(work, procedure);
  if (state === 'complete') return keptLive(work);
  if (mayRerun(work)) return runOnce(work, knownId(work));
  const reason = `procedure ${knownId(work)} was ${state}, and the service no longer knows it`;
  throw incomplete(keptLive(work), state, [reason, MAY_RERUN]);
}

/** `will run: restart on web/tomcat`. */
function planText(olds: Values, { address, args }: Pick<Work, 'address' | 'args'>): string {
  const does = wish(olds) === wish(args) ? `take up procedure ${textAt(olds, 'procedureId')}` : 'run';
  const action = holdsUnknown(args['action']) ? 'an action' : textAt(args, 'action');
  return `will ${does}: ${action} on ${address['platform']}/${address['component']}`;
}

const procedureVerbs: Verbs = act({
  run: (work) => runOnce(work, 0),

  again: update,

  async observe(work) {
    const state = textAt(work.known, 'state', 'complete');
    const isSettled = state === 'complete' || state === UNKNOWN_STATE;
    const procedure = isSettled ? undefined : await readProcedure(work, knownId(work));
    return { ...keptLive(work), fills: { state: procedure?.procedureState ?? state } };
  },

  // The engine asks for no plan of a new procedure, so that its preview says here what will run.
  foresee(work, olds) {
    if (Object.keys(olds).length === 0) work.progress(planText(olds, work));
    return Promise.resolve([]);
  },

  plan: planText,
});

export const procedure = kind({
  token: 'Procedure',
  description:
    "An action on what a deployment made: a restart, a repair, a script. Runs after the environment's deployment, and again when its triggers change.",
  path: '/{organization}/{assembly}/{environment}/{platform}/{component}/{procedure}',
  within: environment,
  stage: 'none',
  fields: {
    action: trigger(text()).describe(
      "Action of the component's class (`reboot`), or name of an attachment that runs on demand.",
    ),
    arglist: noted(trigger(text())).optional().describe('Text the action is given.'),
    instances: words('Names of the instances to run it on. Default: all of the component.', trigger),
    execStrategy: trigger(oneOf(['one-by-one', 'parallel']))
      .optional()
      .describe('Whether instances take turns (default) or run it at the same time.'),
    triggers: trigger(map()).optional().describe('Values of any meaning: a change of them runs it again.'),
    rerun: control(flag())
      .optional()
      .describe('Whether a failed, canceled or unknown run may be repeated. Default false.'),
    timeout: control(int(1)).optional().describe('Minutes to wait for it. Default 60.'),
    state: trigger(oneOf(['complete']))
      .optional()
      .describe('Filled in: a procedure that is not complete is a difference.'),
  },
  impact: { applied: { severity: 'low', message: 'an action runs on its instances' } },
  // The deployment makes the instances that it runs on.
  after: { from: (of) => of.token === 'Deployment', records: (_, deployments) => deployments },
  inFile: {
    path: 'environments.*.procedures.*',
    given: ['action', 'arglist', 'instances', 'execStrategy', 'triggers'],
  },
  fills: { state: 'complete' },
  computed: {
    procedureId: int().describe('Number of the procedure that ran.'),
  },
  verbs: procedureVerbs,
  sample: {
    create: { action: 'reboot', triggers: { build: '1' } },
    update: { triggers: { build: '2' }, execStrategy: 'parallel' },
  },
});
