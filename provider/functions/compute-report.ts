// The compute report: what runs, added up by assembly or by cloud (service-facts §4.2).
// It must not know how functions are called.
import { problem, routes } from '../../api/contract';
import { oneOf } from '../field';
import { apiFunction } from './api-function';
import { name } from './arguments';
import { numberIn } from './records';
import * as result from './result';

const metrics = {
  /** Number of computes. */
  count: result.intResult(),
  /** Their cores together. */
  cores: result.numberResult(),
  /** Their memory together, in megabytes. */
  ram: result.numberResult(),
};

/** One line of a compute report. */
const row = result.recordType('ComputeReportRow', {
  /** Names from the outermost level to this one. */
  path: result.listResult(result.textResult()),
  /** 0 for the innermost level. */
  level: result.intResult(),
  /** Owner of the assembly, on the lines of assemblies. */
  owner: result.textResult().optional(),
  ...metrics,
});
type Row = result.ResultValues<typeof row.members>;

/** A column of a compute report. */
const metric = result.recordType('ComputeReportMetric', {
  /** Name of the member that contains it. */
  name: result.textResult(),
  /** Name as people read it. */
  label: result.textResult(),
});

/** What runs in the organization, added up. */
export const getComputeReport = apiFunction({
  token: 'getComputeReport',
  arguments: {
    /** What to add up by. Default `assembly`. */
    grouping: oneOf(['assembly', 'cloud']).optional(),
    /** Name of an assembly, to see only what runs of it; with the grouping `assembly`. */
    assembly: name().optional(),
    /** Name of a cloud, to see only what runs there; with the grouping `cloud`. */
    cloud: name().optional(),
  },
  reads: [routes.assemblies.read, routes.clouds.read, routes.reports.compute],
  result: {
    ...metrics,
    /** What each level is, outermost first. */
    scope: result.listResult(result.textResult()),
    /** What is added up. */
    metrics: result.listResult(result.recordResult(metric)),
    /** Every line, each before those it adds up. */
    rows: result.listResult(result.recordResult(row)),
  },
  rule: ({ grouping = 'assembly', assembly, cloud }) => {
    if (grouping === 'assembly' && cloud !== undefined) return [misplaced('cloud', 'cloud')];
    return grouping === 'cloud' && assembly !== undefined ? [misplaced('assembly', 'assembly')] : [];
  },
  read: async (ask, { grouping = 'assembly', assembly, cloud }) => {
    // Both are narrowed to by number.
    const query = {
      ...(grouping === 'cloud' ? { grouping } : {}),
      ...(assembly === undefined
        ? {}
        : { assembly: String((await ask(routes.assemblies.read, { address: { assembly } })).ciId) }),
      ...(cloud === undefined ? {} : { cloud: String((await ask(routes.clouds.read, { address: { cloud } })).ciId) }),
    };
    const report = await ask(routes.reports.compute, { query });
    return {
      ...metricsOf(report.data),
      scope: report.scope.map(levelName),
      metrics: report.metrics.map((each) => ({
        name: textOf(member(each, 'name')),
        label: textOf(member(each, 'label')),
      })),
      rows: childrenOf(report.data).flatMap((child) => rowsOf(child, [])),
    };
  },
});

const misplaced = (argument: string, grouping: string) =>
  problem('contradiction', [argument], `"${argument}" narrows the grouping "${grouping}" only`);

const member = (whole: unknown, key: string): unknown =>
  typeof whole === 'object' && whole !== null ? (whole as { readonly [key: string]: unknown })[key] : undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A level is its name, or a map of its name to the names of further members. */
const levelName = (level: unknown): string =>
  typeof level === 'object' && level !== null ? (Object.keys(level)[0] ?? '') : textOf(level);

function childrenOf(branch: unknown): readonly unknown[] {
  const children = member(branch, 'children');
  return Array.isArray(children) ? children : [];
}

function metricsOf(branch: unknown): result.ResultValues<typeof metrics> {
  const measured = member(branch, 'metrics');
  return {
    count: numberIn(member(measured, 'count'), 0),
    cores: numberIn(member(measured, 'cores'), 0),
    ram: numberIn(member(measured, 'ram'), 0),
  };
}

/** A branch and all below it. The service's marks of branches are left out: they are other ones at each call. */
function rowsOf(branch: unknown, above: readonly string[]): readonly Row[] {
  const path = [...above, textOf(member(branch, 'name'))];
  const owner = member(branch, 'owner');
  const own = {
    path,
    level: numberIn(member(branch, 'level'), 0),
    ...(typeof owner === 'string' ? { owner } : {}),
    ...metricsOf(branch),
  };
  return [own, ...childrenOf(branch).flatMap((child) => rowsOf(child, path))];
}
