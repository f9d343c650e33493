// Assemblies of an organization (service-facts §4.4).
import { routes } from '../../api/contract';
import { attachedTeams, attachTeams, mayOn } from '../account';
import { committedRecord, deletedAnswer } from '../answers';
import { patchValues, requiredAttributes } from '../attributes';
import { collectionTemplate } from '../collection';
import { type Context, type HandlerTable, handlersOf, refused } from '../handler';
import { locateAssembly } from '../locate';
import { type StoredRecord } from '../store';
import { fillDesign } from './clone';
import { ASSEMBLY_CLASS, assemblyMetadata, makeAssembly } from './make-assembly';
import { locateSaved } from './saved-designs';

const CLASS = ASSEMBLY_CLASS;

/** Environments of an assembly in which instances run. */
function runningEnvironments(context: Context, assembly: StoredRecord): string[] {
  const namespace = `${assembly.namespace}/${assembly.name}`;
  return context.store.records
    .list({ namespace, className: 'manifest.Environment' }, 'committed')
    .filter(
      (environment) =>
        context.store.records.list({ below: `${namespace}/${environment.name}/bom` }, 'committed').length > 0,
    )
    .map((environment) => environment.name);
}

/** Handlers of assemblies. */
export const assemblyHandlers: HandlerTable = handlersOf(routes.assemblies, {
  list: (context) =>
    context.store.records
      .list({ namespace: `/${context.organization}`, className: CLASS }, 'committed')
      .filter((assembly) => mayOn(context, assembly))
      .sort((one, other) => one.created - other.created || one.id - other.id)
      .map((assembly) => committedRecord(context, assembly)),
  read: (context) => committedRecord(context, locateAssembly(context, context.address.assembly)),
  template: (context) =>
    collectionTemplate(context, { noun: 'assembly', namespace: `/${context.organization}`, className: CLASS }),
  create: (context) => {
    const { cms_ci: sent, catalog_template: template, teams } = context.body;
    const attributes = requiredAttributes(context.rules, 'cms_ci', sent.ciAttributes) ?? {};
    const wanted = { name: sent.ciName, attributes, comments: sent.comments ?? '' };
    const saved = template === undefined || template === null ? undefined : locateSaved(context, String(template));
    const assembly = makeAssembly(context, context.organization, wanted);
    if (saved !== undefined)
      fillDesign(context, saved, { assembly, namespace: `${assembly.namespace}/${assembly.name}` }, 'committed');
    if (teams) attachTeams(context, assembly, { teams });
    return committedRecord(context, assembly);
  },
  teams: (context) => attachedTeams(context, locateAssembly(context, context.address.assembly)),
  updateTeams: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    attachTeams(context, assembly, context.body);
    return attachedTeams(context, assembly);
  },
  users: (context) => {
    locateAssembly(context, context.address.assembly);
    return context.store.users
      .list()
      .filter(({ organizations }) => organizations === null || organizations.includes(context.organization))
      .map(({ id, name }) => ({ id, username: name, name }));
  },
  update: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const { comments, ciAttributes } = context.body.cms_ci;
    const attributes = requiredAttributes(context.rules, 'cms_ci', ciAttributes) ?? {};
    const values = patchValues(assemblyMetadata(context), CLASS, assembly.values, attributes);
    const patch = { values, ...(comments === undefined ? {} : { comments }) };
    return committedRecord(context, context.store.records.update(assembly.id, patch, context));
  },
  delete: (context) => {
    const assembly = locateAssembly(context, context.address.assembly);
    const running = runningEnvironments(context, assembly);
    if (running.length > 0) throw refused(`assembly ${assembly.name} has instances deployed in ${running.join(', ')}`);
    context.store.removeNamespace(`${assembly.namespace}/${assembly.name}`);
    context.store.records.remove(assembly.id);
    return deletedAnswer(context.rules, committedRecord(context, assembly));
  },
});
