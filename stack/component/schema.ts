// A stack file as a component of other programs: its configuration is the component's arguments, its outputs are the component's.
// It must not know the protocol, nor where the file lies.
import type { ConfigDeclaration, ConfigType, StackPlan } from '../values/plan';

/** The package that a folder with `PulumiPlugin.yaml` is. */
export interface ComponentPackage {
  readonly name: string;
  readonly version: string;
}

/** The type of the one component of a package: `web:index:Stack`. */
const componentType = ({ name }: Pick<ComponentPackage, 'name'>): string => `${name}:index:Stack`;

/** The package's schema, as data of Pulumi's schema format. */
export function schemaOfComponent({ name, version }: ComponentPackage, plan: StackPlan): object {
  const inputs = Object.fromEntries(plan.config.map((declaration) => [declaration.name, inputOf(declaration)]));
  const outputs = Object.fromEntries(plan.outputs.map((output) => [output.name, ANY]));
  return {
    name,
    version,
    resources: {
      [componentType({ name })]: {
        isComponent: true,
        inputProperties: inputs,
        requiredInputs: plan.config.filter((each) => each.default === undefined).map((each) => each.name),
        properties: outputs,
        required: Object.keys(outputs),
      },
    },
    language: Object.fromEntries(LANGUAGES.map((language) => [language, { respectSchemaVersion: true }])),
  };
}

/** Whose generators write another version than the package's into an SDK, unless its schema says so: `${VERSION}`, which npm refuses, or `0.0.0`. */
const LANGUAGES = ['nodejs', 'python', 'go', 'csharp', 'java'];

const ANY = { $ref: 'pulumi.json#/Any' };

const TYPES: { readonly [type in ConfigType]: object } = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: ANY },
  map: { type: 'object', additionalProperties: ANY },
};

const inputOf = ({ type, description, secret }: ConfigDeclaration): object => ({
  ...TYPES[type],
  ...(description === undefined ? {} : { description }),
  ...(secret ? { secret } : {}),
});
