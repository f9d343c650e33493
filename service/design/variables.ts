// Variables of a design, global and of a platform (service-facts §2.2.7, §4.5.3).
// Both kinds follow the rules of a staged collection; they differ in class, namespace and in what they belong to.
import { routes } from '../../api/contract';
import { type Context, type HandlerTable, handlersOf } from '../handler';
import { asSent, stagedCollection, type StagedCollection } from '../staged-collection';
import { type StoredRecord } from '../store';
import {
  checkStaying,
  type Design,
  IMPLEMENTATION,
  locateDesign,
  locateDesignPlatform,
  type DesignPlatformAddress,
  writeDesign,
} from './place';

interface Scope {
  readonly namespace: string;
  readonly className: string;
  readonly relation: string;
  /** The assembly or the platform that the variables are values for. */
  readonly holder: StoredRecord;
}

function variablesOf(context: Context<unknown>, design: Design, scope: Scope): StagedCollection {
  const { namespace, className, relation, holder } = scope;
  return {
    noun: 'variable',
    namespace,
    className,
    lockedBy: 'design',
    write: (work) => writeDesign(context, design, work),
    adding: {
      impl: IMPLEMENTATION,
      check: () => checkStaying(holder),
      relation: (record) => ({ namespace, name: relation, fromId: record.id, toId: holder.id }),
    },
  };
}

type DesignAddress = { readonly assembly: string };
type Named<A> = A & { readonly variable?: string | undefined };

const globalVariables = stagedCollection({
  collection: (context: Context<DesignAddress>) => {
    const design = locateDesign(context, context.address.assembly);
    const { namespace, assembly: holder } = design;
    return variablesOf(context, design, {
      namespace,
      className: 'catalog.Globalvar',
      relation: 'base.ValueFor',
      holder,
    });
  },
  identifier: (address: Named<DesignAddress>) => address.variable,
  sent: asSent,
});

const localVariables = stagedCollection({
  collection: (context: Context<DesignPlatformAddress>) => {
    const design = locateDesignPlatform(context, context.address);
    const { inside: namespace, platform: holder } = design;
    return variablesOf(context, design, {
      namespace,
      className: 'catalog.Localvar',
      relation: 'catalog.ValueFor',
      holder,
    });
  },
  identifier: (address: Named<DesignPlatformAddress>) => address.variable,
  sent: asSent,
});

/** Handlers of design variables, of both scopes. */
export const designVariableHandlers: HandlerTable = {
  ...handlersOf(routes.designVariables, { ...globalVariables.records, ...globalVariables.locks }),
  ...handlersOf(routes.platformVariables, { ...localVariables.records, ...localVariables.locks }),
};
