// The 25 differences of the dialects in words, each with the switches of the contract that carry it.
import type { DialectRules } from '../../api/contract';

/** One row of service-facts §13: where the documented API and the live service differ, and the switches that carry the difference. */
interface Difference {
  readonly row: number;
  readonly documented: string;
  readonly classic: string;
  /** None: both dialects do the same, as both columns say. */
  readonly switches: readonly (keyof DialectRules)[];
}

const row = (
  number: number,
  documented: string,
  classic: string,
  ...switches: readonly (keyof DialectRules)[]
): Difference => ({
  row: number,
  documented,
  classic,
  switches,
});

/** All 25 rows of service-facts §13. */
export const DIFFERENCES: readonly Difference[] = [
  row(1, 'DELETE answers nothing', 'DELETE answers the deleted record', 'deleteAnswersRecord'),
  row(2, 'an environment is created at its own path', 'on the collection', 'paths'),
  row(3, 'components and variables are updated on the collection, named in the body', 'at their own path', 'paths'),
  row(4, 'the template of a service is at services/{service}/new.json', 'at services/new?mgmtCiId=', 'paths'),
  row(5, 'a new service is posted as the completed template', 'as {"cms_ci": …, "mgmtCiId": …}', 'serviceBodyWrapped'),
  row(6, 'the public catalogue is below /cloud', 'below /clouds', 'paths'),
  row(
    7,
    'events of attachments: runs_on, seven of them, optional',
    'run_on, nine, required with path and priority',
    'attachmentEvents',
    'attachmentFieldsRequired',
  ),
  row(8, 'an assembly may have no owner', 'it needs one', 'assemblyOwnerRequired'),
  row(9, 'releases/latest is releases/bom', 'it is the newest manifest release', 'latestIsManifest'),
  row(10, 'releases/bom is the newest bom release in any state', 'the open one, else 404', 'bomOnlyOpen'),
  row(11, 'a token comes by user and password too', 'a token comes by user and password too'),
  row(12, 'all states of procedures and actions', 'all states of procedures and actions'),
  row(
    13,
    'the state of an instance: 200 is success',
    '422 without errors is success, 200 with errors failure',
    'instanceStateInverted',
  ),
  row(14, 'instances without instances_state: all', 'none', 'instancesNeedState'),
  row(15, 'discard takes the release of the path', 'it takes the open bom release', 'discardIgnoresId'),
  row(
    16,
    'clouds of an environment by id, priority as text or number',
    'by id or name, a number is ignored',
    'cloudPriorityTextOnly',
  ),
  row(17, 'numbers of a cloud configuration as text or number', 'stored as text, whatever was sent'),
  row(18, 'major_version is stored as sent', 'a new platform has 1', 'majorVersionForced'),
  row(19, 'each design write is closed at once', 'it waits for the commit of the release', 'designStaged'),
  row(20, 'platforms can be updated', 'platforms can be updated'),
  row(21, 'components can be created, from a template', 'components can be created, from a template'),
  row(22, 'GET of a deployment answers it', 'it answers its changes', 'deploymentByIdIsChanges'),
  row(23, 'a missing right is 403', '401', 'forbiddenStatus'),
  row(24, 'comments of design records are stored', 'only together with an attribute', 'designCommentsStored'),
  row(25, 'JSON whatever Accept says', 'JSON only to exactly application/json, or to .json', 'acceptExact'),
];
