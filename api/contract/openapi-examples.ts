// A body for every operation that takes one: the assembly `shop` of the organization `acme`.
import type { DialectRules } from './dialect';

const committed = (ciName: string, ciAttributes: object, more: object = {}): object => ({
  cms_ci: { ciName, ciAttributes },
  ...more,
});
const change = (ciName: string, ciAttributes: object, more: object = {}): object => ({
  cms_dj_ci: { ciName, ciAttributes },
  ...more,
});

const LOCATION = '/public/oneops/clouds/ec2-us-east-1';
const VARIABLE = change('region', { value: 'east' });
const SECRET = change('region', { secure: 'true', encrypted_value: 'an example, not a secret' });
const IDS = { ciIds: ['8101', '8102'] };
const RELAY = { enabled: 'true', emails: 'ops@example.com', severity: 'critical' };
const SUPPORT = committed('gate', { approval: 'true' });
const USER = change('deployer', { username: 'deployer' });

const account = {
  'organizations.create': { name: 'acme' },
  'organizations.update': {
    organization: { full_name: 'Acme Works', ci: { ciAttributes: { description: 'Makes everything' } } },
  },
  'profile.changeOrganization': { org_id: 'acme' },
  'profile.token': { user: { username: 'maria', password: 'an example, not a password' } },
  'teams.create': { team: { name: 'builders', design: true } },
  'teams.update': { team: { transition: true } },
  'environmentProfiles.create': committed('production', { availability: 'redundant' }),
  'environmentProfiles.update': committed('production', { availability: 'single' }),
};

const clouds = (rules: DialectRules): object => {
  const service = { ciName: 'elb', ciAttributes: { key: 'AKIAEXAMPLE', secret: 'example', region: 'us-east-1' } };
  const sent = rules.serviceBodyWrapped ? { cms_ci: service, mgmtCiId: '4711' } : { ...service, mgmtCiId: '4711' };
  return {
    'clouds.create': committed('east', { location: LOCATION }, { teams: ['12'] }),
    'clouds.update': committed('east', { description: 'The first cloud' }),
    'clouds.updateTeams': { add: ['12'] },
    'cloudServices.create': sent,
    'cloudServices.update': sent,
    'cloudOfferings.create': committed('small', { description: 'A small machine' }),
    'cloudOfferings.update': committed('small', { description: 'A smaller machine' }),
    'cloudVariables.create': committed('region', { value: 'east' }),
    'cloudVariables.update': committed('region', { value: 'west' }),
    'cloudSupports.create': SUPPORT,
    'cloudSupports.update': SUPPORT,
  };
};

const design = {
  'assemblies.create': committed('shop', { owner: 'ops@example.com', description: 'The shop' }),
  'assemblies.update': committed('shop', { owner: 'ops@example.com', description: 'The new shop' }),
  'assemblies.clone': { ciName: 'shop-copy', description: 'A copy of the shop' },
  'assemblies.updateTeams': { teams: ['12'] },
  'design.load': { data: 'platforms:\n  web:\n    pack: oneops/tomcat:1\n', preview: 'true' },
  'platforms.create': change('web', { source: 'oneops', pack: 'tomcat', version: '1' }, { links_to: ['db'] }),
  'platforms.update': change('web', { description: 'The front' }, { links_to: ['db'] }),
  'platforms.clone': { to_assembly_id: '8001', to_ci_name: 'web-copy' },
  'platforms.commit': { desc: 'Open the shop' },
  'platforms.packUpdate': { version: '2' },
  'components.create': { ...USER, template_name: 'user' },
  'components.update': change('tomcat', { version: '7.0' }),
  'components.updateServices': { services: ['lb', 'dns'] },
  'designVariables.create': VARIABLE,
  'designVariables.update': SECRET,
  'designVariables.lock': IDS,
  'designVariables.unlock': IDS,
  'platformVariables.create': VARIABLE,
  'platformVariables.update': SECRET,
  'platformVariables.lock': IDS,
  'platformVariables.unlock': IDS,
  'monitors.create': change('heap', { description: 'Use of the heap', cmd: 'check_heap' }),
  'monitors.update': change('heap', { sample_interval: '120' }),
  'designReleases.commit': { desc: 'Open the shop' },
};

const attachments = ({ attachmentEvents }: DialectRules): object => {
  const attachment = change('motd', {
    path: '/etc/motd',
    content: 'Welcome',
    [attachmentEvents]: 'after-add',
    priority: '1',
  });
  return Object.fromEntries(
    [
      'attachments.create',
      'attachments.update',
      'attachments.updateInPlatform',
      'environmentAttachments.update',
      'environmentAttachments.updateInPlatform',
    ].map((name) => [name, attachment]),
  );
};

const ENVIRONMENT = committed(
  'prod',
  { availability: 'redundant', description: 'Production' },
  { clouds: { '6201': '1', '6202': '2' }, platform_availability: { '8101': 'redundant' } },
);

const transition = {
  'environments.create': ENVIRONMENT,
  'environments.update': ENVIRONMENT,
  'environments.pull': { platform_availability: { '8101': 'single' } },
  'environments.commit': { desc: 'Roll out' },
  'environments.forceDeploy': { desc: 'Roll out again', exclude_platforms: '8102' },
  'environments.disable': { platformCiIds: ['8101'] },
  'environments.enable': { platformCiIds: ['8101'] },
  'environments.load': { data: 'variables:\n  region: west\n' },
  'environmentPlatforms.update': change('web', { autorepair: 'true' }),
  'environmentPlatforms.configureCloud': { cloud_id: '6201', attributes: { priority: '1', adminstatus: 'active' } },
  'environmentPlatforms.cloudPriority': { cloud_id: '6201', priority: '1' },
  'environmentPlatforms.updateComponent': change('tomcat', { version: '7.0' }),
  'environmentPlatforms.touchComponents': { componentCiIds: ['8110'] },
  'environmentPlatforms.updateDependsOn': {
    depends_on: { '8110': { relationAttributes: { current: '4', min: '2', max: '8' } } },
  },
  'environmentVariables.update': VARIABLE,
  'environmentVariables.lock': IDS,
  'environmentVariables.unlock': IDS,
  'environmentPlatformVariables.update': VARIABLE,
  'environmentPlatformVariables.lock': IDS,
  'environmentPlatformVariables.unlock': IDS,
  'environmentMonitors.update': change('heap', { sample_interval: '120' }),
  'relays.create': committed('email', RELAY),
  'relays.update': committed('email', RELAY),
  'deployments.create': {
    cms_deployment: { releaseId: '5210', nsPath: '/acme/shop/prod/bom', comments: 'Roll out' },
  },
  'deployments.plan': { commit: 'true', desc: 'Roll out' },
  'deployments.update': { cms_deployment: { deploymentState: 'paused' } },
  'deployments.settle': { approvals: [{ approvalId: '9', state: 'approved', comments: 'As agreed' }] },
};

const DEFINITION = {
  name: 'restart',
  flow: [
    {
      targetIds: ['9001'],
      relationName: 'base.RealizedAs',
      direction: 'from',
      actions: [{ actionName: 'restart', stepNumber: 1, isCritical: true }],
    },
  ],
};

const operations = {
  'operations.setInstanceState': { state: 'replace' },
  'operations.setAssemblyInstanceState': { state: 'replace' },
  'operations.setAssemblyInstancesState': { ids: ['9001', '9002'], state: 'replace' },
  'operations.setInstancesState': { ids: ['9001', '9002'], state: 'default' },
  'operations.autorepair': { status: 'enable' },
  'operations.autoreplace': { status: 'enable', replace_after_minutes: '60', replace_after_repairs: '3' },
  'operations.autoscale': { status: 'disable' },
  'operations.autocomply': { status: 'disable' },
  'procedures.create': {
    cms_procedure: {
      procedureCiId: '0',
      procedureName: 'restart',
      ciId: '8110',
      procedureState: 'pending',
      definition: JSON.stringify(DEFINITION),
    },
  },
  'procedures.update': { cms_procedure: { procedureState: 'active' } },
};

export function exampleBodies(rules: DialectRules): { readonly [route: string]: unknown } {
  return { ...account, ...clouds(rules), ...design, ...attachments(rules), ...transition, ...operations };
}
