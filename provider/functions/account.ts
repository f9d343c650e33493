// Functions of the account: a user's organizations, and what runs in one (service-facts §4.2).
import { problem, routes, type OrganizationRow } from '../../api/contract';
import { oneOf } from '../values/field';
import { apiFunction, name } from './api-function';
import { byName } from './records';
import * as result from './result';
import { asMap } from '../values/plain';

const organizationRow = result.inMembers<OrganizationRow>();

const organization = result.recordType('OrganizationRecord', "An organization of the token's user.", {
  name: organizationRow.text('name').describe('Name of the organization.'),
  ciId: organizationRow.int('cms_id').describe("Number of the organization's record."),
  fullName: organizationRow.text('full_name').describe('Name as people read it.'),
});

export const getOrganizations = apiFunction({
  token: 'getOrganizations',
  description: "The organizations that the token's user belongs to.",
  arguments: {},
  result: {
    organizations: result.records(organization).describe('Organizations, by name in alphabetical order.'),
  },
  read: async (ask) => ({ organizations: byName(result.rowsIn(organization, await ask(routes.organizations.list))) }),
});

const member = (whole: unknown, key: string): unknown => asMap(whole)[key];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const measured = <R>(key: string, of: (from: (branch: unknown) => number) => R): R =>
  of((branch) => result.numberIn(member(member(branch, 'metrics'), key), 0));

const textMember = (key: string) => result.text((whole: unknown) => textOf(member(whole, key)));

const metrics = {
  count: measured('count', result.int).describe('Number of computes.'),
  cores: measured('cores', result.number).describe('Their cores together.'),
  ram: measured('ram', result.number).describe('Their memory together, in megabytes.'),
};

const row = result.recordType('ComputeReportRow', 'One line of a compute report.', {
  path: result.list(result.text()).describe('Names from the outermost level to this one.'),
  level: result.int().describe('0 for the innermost level.'),
  owner: result.text().optional().describe('Owner of the assembly, on the lines of assemblies.'),
  ...metrics,
});
type Row = result.ResultValues<typeof row.members>;

const metric = result.recordType('ComputeReportMetric', 'A column of a compute report.', {
  name: textMember('name').describe('Name of the member that contains it.'),
  label: textMember('label').describe('Name as people read it.'),
});

export const getComputeReport = apiFunction({
  token: 'getComputeReport',
  description: 'What runs in the organization, added up.',
  arguments: {
    grouping: oneOf(['assembly', 'cloud']).optional().describe('What to add up by. Default `assembly`.'),
    assembly: name()
      .optional()
      .describe('Name of an assembly, to see only what runs of it; with the grouping `assembly`.'),
    cloud: name().optional().describe('Name of a cloud, to see only what runs there; with the grouping `cloud`.'),
  },
  result: {
    ...metrics,
    scope: result.list(result.text()).describe('What each level is, outermost first.'),
    metrics: result.records(metric).describe('What is added up.'),
    rows: result.records(row).describe('Every line, each before those it adds up.'),
  },
  rule: ({ grouping = 'assembly', assembly, cloud }) => {
    if (grouping === 'assembly' && cloud !== undefined) return [misplaced('cloud', 'cloud')];
    return grouping === 'cloud' && assembly !== undefined ? [misplaced('assembly', 'assembly')] : [];
  },
  read: async (ask, { grouping = 'assembly', assembly, cloud }) => {
    // Both are narrowed to by number.
    const ofAssembly = assembly && (await ask(routes.assemblies.read, { address: { assembly } }));
    const ofCloud = cloud && (await ask(routes.clouds.read, { address: { cloud } }));
    const query = {
      ...(grouping === 'cloud' ? { grouping } : {}),
      ...(ofAssembly ? { assembly: String(ofAssembly.ciId) } : {}),
      ...(ofCloud ? { cloud: String(ofCloud.ciId) } : {}),
    };
    const report = await ask(routes.reports.compute, { query });
    return {
      ...result.valuesIn(metrics, report.data),
      scope: report.scope.map(levelName),
      metrics: result.rowsIn(metric, report.metrics),
      rows: childrenOf(report.data).flatMap((child) => rowsOf(child, [])),
    };
  },
});

const misplaced = (argument: string, grouping: string) =>
  problem('contradiction', [argument], `"${argument}" narrows the grouping "${grouping}" only`);

/** A level is its name, or a map of its name to the names of further members. */
const levelName = (level: unknown): string => Object.keys(asMap(level))[0] ?? textOf(level);

function childrenOf(branch: unknown): readonly unknown[] {
  const children = member(branch, 'children');
  return Array.isArray(children) ? children : [];
}

/** A branch and all below it, without the service's marks, which change with each call. */
function rowsOf(branch: unknown, above: readonly string[]): readonly Row[] {
  const path = [...above, textOf(member(branch, 'name'))];
  const owner = member(branch, 'owner');
  const own = {
    path,
    level: result.numberIn(member(branch, 'level'), 0),
    ...(typeof owner === 'string' ? { owner } : {}),
    ...result.valuesIn(metrics, branch),
  };
  return [own, ...childrenOf(branch).flatMap((child) => rowsOf(child, path))];
}
