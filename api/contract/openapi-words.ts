// Members of the document's schemas that contain one of a few words.
import { APPROVAL_STATES, DEPLOYMENT_STATES, RELEASE_STATES } from './release';

const PROCEDURE_STATES = ['pending', 'active', 'complete', 'failed', 'canceled'];
const ON_OFF = ['enable', 'disable'];

/** Words by schema and member, at any depth of the schema; or by the member alone, in every schema of an answer. */
const WORDS: { readonly [member: string]: readonly string[] } = {
  releaseState: RELEASE_STATES,
  deploymentState: DEPLOYMENT_STATES,
  'DeploymentBody.deploymentState': ['active', 'paused', 'canceled'],
  procedureState: PROCEDURE_STATES,
  'ProcedureBody.procedureState': ['pending', 'active', 'canceled'],
  'Approval.state': APPROVAL_STATES,
  'SettleBody.state': ['approved', 'rejected'],
  'InstanceStateBody.state': ['default', 'replace'],
  'InstancesStateBody.state': ['default', 'replace'],
  'SwitchBody.status': ON_OFF,
};

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A schema with an enum at each member that contains one of a few words. */
export function withWords(name: string, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((each: Json) => withWords(name, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema as { readonly [keyword: string]: Json }).map(([keyword, value]) => {
    if (keyword !== 'properties' || typeof value !== 'object' || value === null)
      return [keyword, withWords(name, value)];
    const members = Object.entries(value as { readonly [member: string]: Json }).map(([member, each]) => {
      const words = WORDS[`${name}.${member}`] ?? WORDS[member];
      const inner = withWords(name, each);
      if (words === undefined || typeof inner !== 'object' || inner === null) return [member, inner];
      const isNullable = JSON.stringify(inner).includes('"null"');
      return [member, { ...inner, enum: [...words, ...(isNullable ? [null] : [])] }];
    });
    return [keyword, Object.fromEntries(members) as Json];
  });
  return Object.fromEntries(entries) as Json;
}
