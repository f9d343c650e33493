// Packs of the catalogue, and the service's own description (service-facts §4.9).
import { defaultAttributes, registeredClass, routes } from '../../api/contract';
import { openApiDocument } from '../../api/contract/openapi';
import { templateAnswer } from '../runtime/answers';
import { knownClass } from '../runtime/attributes';
import { MODES, type Pack, type PackMode, templates } from '.';
import { type Context, handlersOf, type HandlerTable, notFound } from '../runtime/handler';
import { onceOf } from '../store';

type PackAddress = {
  readonly source: string;
  readonly pack: string;
  readonly version: string;
  readonly platform: string;
};

/** The pack in a path; its one platform has its name. Throws a RefusedRequest (404). */
function locatePack(context: Context<PackAddress>): Pack {
  const { source, pack: name, version, platform } = context.address;
  const pack = context.catalogue.pack(source, name, version);
  if (pack === undefined || platform !== name) throw notFound(`no pack version is called ${source}/${name}/${version}`);
  return pack;
}

function templatesOf(context: Context, pack: Pack, mode: PackMode): object[] {
  const place = `/public/${pack.source}/packs/${pack.name}/${pack.version}`;
  return templates(pack, mode).map((template) => {
    const className = registeredClass(mode === 'design' ? 'mgmt.catalog' : 'mgmt.manifest', template.class);
    const values = defaultAttributes(knownClass(context.catalogue, className), template.defaults);
    const namespace = mode === 'design' ? place : `${place}/${mode}`;
    return templateAnswer(context, { name: template.name, className, namespace, values }, 'committed');
  });
}

/** Variables a platform of the pack is born with; what a secret one contains is not shown. */
function variablesOf(context: Context, pack: Pack): object[] {
  const namespace = `/public/${pack.source}/packs/${pack.name}/${pack.version}`;
  const className = 'mgmt.catalog.Localvar';
  return pack.variables.map(({ name, value, secure }) => {
    const given = secure ? { secure: 'true' } : { value };
    const values = defaultAttributes(knownClass(context.catalogue, className), given);
    return templateAnswer(context, { name, className, namespace, values }, 'committed');
  });
}

export const packHandlers: HandlerTable = handlersOf(routes.catalogue, {
  packs: (context) => {
    const tree: { [source: string]: { [name: string]: string[] } } = {};
    for (const { source, name, version } of context.catalogue.packs()) {
      const packs = (tree[source] ??= {});
      (packs[name] ??= []).push(version);
    }
    return tree;
  },
  packComponents: (context) => templatesOf(context, locatePack(context), 'design'),
  packVariables: (context) => variablesOf(context, locatePack(context)),
  packModeComponents: (context) => {
    const pack = locatePack(context);
    const mode = MODES.find((each) => each === context.address.mode && each !== 'design');
    if (mode === undefined) throw notFound(`a pack has modes single and redundant, not ${context.address.mode}`);
    return templatesOf(context, pack, mode);
  },
});

const descriptionIn = onceOf(openApiDocument);

/** Handlers of the service's own description, which is made when it is first asked for. */
export const selfHandlers: HandlerTable = handlersOf(routes.service, {
  status: () => ({ status: 'ok' }),
  description: ({ rules }) => descriptionIn(rules),
});
