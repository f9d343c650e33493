// The checks of `pulumi-oneops doctor` that ask the service: token, rights, organization, dialect and clock. Each returns its result as a value.
// It must not know how results are shown, nor where settings come from.
import { CLOCK_TOLERANCE } from '../../drift';
import type { Api, ClientEvent } from '../../api/client';
import { DIALECT_HEADER, routes } from '../../api/contract';
import { isApiError, messageOf, ReadOnly, Unauthenticated } from '../../api/errors';

/** The result of one check. */
export interface CheckResult {
  /** `service`, `token`, … */
  readonly subject: string;
  /** `unsure`: the check did not find out, or found something to look at. It does not fail the command. */
  readonly verdict: 'fine' | 'unsure' | 'wrong';
  /** What was found. */
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Whether the token is the reason: the command then has another exit code. */
  readonly authentication?: boolean;
}

/** A client and the events it has reported so far. */
interface DoctorInput {
  readonly api: Api;
  readonly events: readonly ClientEvent[];
}

const fine = (subject: string, says: string): CheckResult => ({ subject, verdict: 'fine', says });

/** Checks the service with a client. Sends GETs, and one create that cannot succeed, to learn whether creates are allowed. */
export async function runChecks({ api, events }: DoctorInput): Promise<readonly CheckResult[]> {
  const reached = await reach(api);
  if (reached.some(({ verdict }) => verdict === 'wrong')) return reached;
  return [...reached, await dialectOf(api), await organizationOf(api), await rightsOf(api), clockOf(events)];
}

async function reach(api: Api): Promise<readonly CheckResult[]> {
  const start = Date.now();
  try {
    const profile = await api.call(routes.profile.read, {});
    const name = (profile as { readonly username?: unknown }).username;
    return [
      fine('service', `answers at ${api.url} in ${Date.now() - start} ms`),
      fine('token', typeof name === 'string' ? `is that of user ${name}` : 'is known to the service'),
    ];
  } catch (error) {
    if (error instanceof Unauthenticated) {
      return [
        fine('service', `answers at ${api.url}`),
        {
          subject: 'token',
          verdict: 'wrong',
          says: 'the service does not know it',
          advice: 'make a new one in the service and set it: ONEOPS_TOKEN, or pulumi config set --secret oneops:token',
          authentication: true,
        },
      ];
    }
    return [wrong('service', error)];
  }
}

async function dialectOf(api: Api): Promise<CheckResult> {
  try {
    return fine('dialect', `${await api.dialect()} (found by the header ${DIALECT_HEADER}, or by one GET)`);
  } catch (error) {
    return wrong('dialect', error);
  }
}

async function organizationOf(api: Api): Promise<CheckResult> {
  try {
    const [assemblies, clouds] = await Promise.all([
      api.call(routes.assemblies.list, {}),
      api.call(routes.clouds.list, {}),
    ]);
    const says = `${api.organization}: ${counted(assemblies.length, 'assembly', 'assemblies')}, ${counted(clouds.length, 'cloud', 'clouds')}`;
    if (clouds.length > 0) return fine('organization', says);
    return { subject: 'organization', verdict: 'unsure', says, advice: 'an environment needs a cloud to deploy to' };
  } catch (error) {
    return wrong('organization', error);
  }
}

/** Every service refuses an assembly without a name, and with another status when the user may not create assemblies. */
async function rightsOf(api: Api): Promise<CheckResult> {
  try {
    await api.call(routes.assemblies.create, { body: { cms_ci: { ciName: '', ciAttributes: {} } } });
    return { subject: 'rights', verdict: 'unsure', says: 'the service took an assembly without a name' };
  } catch (error) {
    if (error instanceof ReadOnly)
      return {
        subject: 'rights',
        verdict: 'unsure',
        says: 'not requested: settings are read-only, so that nothing is sent',
      };
    if (!isApiError(error)) return wrong('rights', error);
    if ([400, 422].includes(error.status)) return fine('rights', 'may create assemblies');
    if ([401, 403].includes(error.status))
      return {
        subject: 'rights',
        verdict: 'unsure',
        says: 'may not create assemblies',
        advice: 'enough for previews, refreshes and drift reviews; pulumi up needs rights on design and transition',
      };
    return wrong('rights', error);
  }
}

function clockOf(events: readonly ClientEvent[]): CheckResult {
  const dated = events.findLast((event) => event.kind === 'response' && event.date !== undefined);
  if (dated?.kind !== 'response' || dated.date === undefined)
    return { subject: 'clock', verdict: 'unsure', says: 'the service does not report its time' };
  const apart = Math.abs(Date.now() - dated.date);
  const says = `${Math.round(apart / 1000)} s from the service's`;
  if (apart <= CLOCK_TOLERANCE) return fine('clock', says);
  return {
    subject: 'clock',
    verdict: 'unsure',
    says,
    advice: 'set both clocks by NTP',
  };
}

const wrong = (subject: string, error: unknown): CheckResult => {
  const [says = '', ...advice] = messageOf(error).split('\n');
  return {
    subject,
    verdict: 'wrong',
    says,
    ...(advice.length > 0 ? { advice: advice.map((line) => line.trim()).join('; ') } : {}),
    ...(isApiError(error) && [401, 403].includes(error.status) ? { authentication: true } : {}),
  };
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
