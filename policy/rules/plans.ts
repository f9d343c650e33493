// Rules about what a planned run would do: deletions, replacements, number of changes, cost.
import * as z from 'zod';
import { plural } from '../../api/errors';
import type { Plan } from '../../preview';
import { kindNames, SAMPLE_KIND } from './records';
import { defined } from '../../provider/values';

/** What a rule found wrong in a plan. */
interface PlanBreach {
  /** A sentence without its subject. */
  readonly message: string;
  /** Id of the record it is about; empty for the whole plan. */
  readonly address: string;
  /** Place in the program as the engine has it: `oneops.yaml:17:7`. */
  readonly at?: string;
}

export interface PlanRule {
  readonly name: string;
  /** What the rule demands, as a sentence. */
  readonly demands: string;
  readonly parameters: z.ZodObject;
  /** Whether it needs what the service says of the plan. */
  readonly needsLive: boolean;
  /** Whether it judges the run as a whole, which is no record and is in no environment. */
  readonly ofRun?: true;
  /** Whether it counts changed records, with those that come along where the service says so. */
  readonly countsRecords?: true;
  /** Parameters, and plans that break the rule and satisfy it. */
  readonly sample: { readonly parameters: object; readonly wrong: Partial<Plan>; readonly right: Partial<Plan> };
  /** Throws ZodError for parameters that are not those of the rule. */
  judge(plan: Plan, parameters: unknown): readonly PlanBreach[];
  /** Unknown facts of a plan, as clauses: such a plan is not judged in full. */
  unknown(plan: Plan, parameters: unknown): readonly string[];
}

function planRule<P extends z.ZodObject>(
  literal: Omit<PlanRule, 'parameters' | 'judge' | 'unknown'> & {
    readonly parameters: P;
    judge(plan: Plan, parameters: z.output<P>): readonly PlanBreach[];
    unknown?(plan: Plan, parameters: z.output<P>): readonly string[];
  },
): PlanRule {
  return {
    ...literal,
    judge: (plan, given) => literal.judge(plan, literal.parameters.parse(given)),
    unknown: (plan, given) => literal.unknown?.(plan, literal.parameters.parse(given)) ?? [],
  };
}

const count = (description: string) => z.int().min(0).describe(description);

const changed = (operation: 'update' | 'delete' | 'replace'): Partial<Plan> => ({
  changes: [{ operation, kind: SAMPLE_KIND, address: 'acme/shop/web', logicalName: 'web', attributes: [] }],
});

const operationRule = (name: string, operation: 'delete' | 'replace', said: string): PlanRule =>
  planRule({
    name,
    demands: `A run ${operation}s no record of some kinds.`,
    parameters: z.strictObject({ kinds: kindNames }),
    needsLive: false,
    sample: { parameters: { kinds: SAMPLE_KIND }, wrong: changed(operation), right: changed('update') },
    judge: ({ actions, changes }, { kinds }) =>
      [...actions, ...changes]
        .filter((change) => change.operation === operation && kinds.includes(change.kind))
        .map(({ address, at }) => ({ message: said, address, ...defined({ at }) })),
  });

/** Records that releases change which come along, as far as that is known. */
const comingAlong = ({ live }: Plan): number =>
  (live?.waiting ?? []).reduce((sum, { members }) => sum + (members?.length ?? 1), 0);

const machines = (names: readonly string[], cost: number): Partial<Plan> => ({
  live: {
    touched: [{ environment: 'acme/shop/prod', effect: 'change', instances: { 'web/compute': names } }],
    waiting: [],
    costs: [{ unit: 'USD', before: 10, after: cost, machines: names.length }],
    withoutOffering: 0,
    unpriced: [],
    unread: [],
    authentication: false,
  },
});

export const PLAN_RULES: readonly PlanRule[] = [
  operationRule('no-deletion', 'delete', 'is deleted'),
  operationRule('no-replacement', 'replace', 'is deleted and created again'),
  planRule({
    name: 'changes-at-most',
    demands:
      'A run changes at most a number of records. Releases, deployments, and an environment that only gets a new release follow from other changes and are not counted.',
    parameters: z.strictObject({
      most: count('Largest number of records that are made, changed, replaced or deleted'),
    }),
    ...{ needsLive: false, ofRun: true, countsRecords: true },
    sample: { parameters: { most: 0 }, wrong: changed('update'), right: { changes: [] } },
    judge(plan, { most }) {
      const changes = plan.changes.length + comingAlong(plan);
      const message = `changes ${plural(changes, 'record')}; at most ${most} are allowed`;
      return changes <= most ? [] : [{ message, address: '' }];
    },
    unknown: ({ live }) =>
      live?.waiting.some(({ members }) => members === undefined) === true
        ? ['which records a release that comes along changes is not known']
        : [],
  }),
  planRule({
    name: 'instances-touched',
    demands: 'A run touches at most a number of running instances in an environment.',
    parameters: z.strictObject({ most: count('Largest number of instances that change or go, in one environment') }),
    needsLive: true,
    sample: { parameters: { most: 2 }, wrong: machines(['a', 'b', 'c'], 10), right: machines(['a', 'b'], 10) },
    judge({ live }, { most }) {
      const counts = new Map<string, number>();
      for (const { environment, instances } of live?.touched ?? [])
        counts.set(environment, (counts.get(environment) ?? 0) + Object.values(instances).flat().length);
      return [...counts]
        .filter(([, touched]) => touched > most)
        .map(([address, touched]) => ({
          message: `has ${plural(touched, 'instance')} that the run changes or removes; at most ${most} are allowed`,
          address,
        }));
    },
  }),
  planRule({
    name: 'cost-at-most',
    demands:
      'A run raises the cost of the machines it changes by at most an amount, in the unit of their offerings. What new machines cost is not known before they run: such a run is not judged in full, and neither is one of which no offering has the unit, or fits a machine.',
    parameters: z.strictObject({
      unit: z.string().describe('Unit of the offerings: `USD`'),
      growth: z.number().min(0).describe('Largest amount by which the cost may grow'),
    }),
    ...{ needsLive: true, ofRun: true },
    sample: { parameters: { unit: 'USD', growth: 5 }, wrong: machines(['a'], 16), right: machines(['a'], 15) },
    judge: ({ live }, { unit, growth }) =>
      (live?.costs ?? [])
        .filter((cost) => cost.unit === unit && cost.after - cost.before > growth)
        .map(({ before, after }) => ({
          message: `raises the cost from ${before} to ${after} ${unit}; at most ${growth} more is allowed`,
          address: '',
        })),
    unknown({ live }, { unit }) {
      if (live === undefined) return [];
      const { unpriced, units, withoutOffering } = live;
      return [
        ...unpriced.map((environment) => `nobody knows yet what the new instances in ${environment} cost`),
        ...(units === undefined || units.includes(unit)
          ? []
          : [`no offering costs ${unit}: ${units.length === 0 ? 'there is none' : `there are ${units.join(', ')}`}`]),
        ...(withoutOffering === 0 ? [] : [`no offering fits ${withoutOffering} of the machines`]),
      ];
    },
  }),
];
