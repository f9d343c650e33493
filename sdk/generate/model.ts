// Every resource as its reader sees it: arguments and outputs with types, texts and marks. Classes and schemas are written from it.
import {
  addressNames,
  argumentFor,
  COMPUTED,
  everyAddressName,
  namesBeside,
  scopesOf,
  settledNames,
  type Field,
  type Kind,
  type Shape,
} from '../../provider';
import { kindNamed, requiredNames } from '../links';
import type { Documentation, FieldDocumentation } from './documentation';

/** One argument or output. */
export interface Property {
  readonly name: string;
  /** The text for editors: `text`, and the facts below that a type cannot show. */
  readonly description: string;
  /** The documentation of the source alone. */
  readonly text: string;
  readonly shape: Shape;
  /** Value that the service has when nobody gives one. */
  readonly base?: string;
  /** Always there: a required argument, an output that is never missing. */
  readonly required: boolean;
  readonly secret: boolean;
  /** A change of it replaces the resource. */
  readonly replaces: boolean;
  /** Part of every address of the kind. */
  readonly always: boolean;
  /** Token of the kind whose object may be in its place, or among its entries. */
  readonly reference?: string;
  /** Name and texts of the interface of its object values. */
  readonly object?: FieldDocumentation['object'];
}

/** One resource. */
export interface Resource {
  readonly token: string;
  readonly description: string;
  readonly args: readonly Property[];
  readonly outputs: readonly Property[];
  /** Token of the kind of which its constructor declares one, too. */
  readonly companion?: string;
}

const TEXT: Shape = { type: 'text' };
const SHAPES = { text: TEXT, int: { type: 'int' } } as const satisfies { readonly [type: string]: Shape };

/** What every kind puts out. */
const COMPUTED_TEXTS: { readonly [name: string]: string } = {
  ciId: 'Number of the record in the service.',
  revision: 'Stamp of our last write; changes with every write of ours and with nothing else.',
  origin:
    '`created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete.',
  updated: 'When the record was last changed, in milliseconds since 1970.',
  updatedBy: 'Who changed the record last.',
};

/** Own outputs and address parts, where the kind's source says nothing. */
const FALLBACK_TEXTS: { readonly [name: string]: string } = {
  cloud: 'Name of the cloud.',
  deploymentId: 'Number of the newest deployment we know of.',
  releaseId: 'Number of the release.',
  pulled: 'The design release it last pulled.',
};

/** The resource of a kind. */
export function resourceOf(of: Kind, documentation: Documentation | undefined): Resource {
  const address = everyAddressName(of).map((name) => addressProperty(of, name));
  const fields = Object.entries(of.fields).map(([name, field]) =>
    fieldProperty(of, name, field, documentation?.fields[name]),
  );
  const computed = Object.entries({ ...COMPUTED, ...of.computed }).map(([name, type]): Property => {
    const text = documentation?.fields[name]?.description || COMPUTED_TEXTS[name] || FALLBACK_TEXTS[name] || '';
    return {
      name,
      description: text,
      text,
      shape: SHAPES[type],
      required: true,
      secret: false,
      replaces: false,
      always: false,
    };
  });
  return {
    token: of.token,
    ...(of.companion === undefined ? {} : { companion: of.companion }),
    description: documentation?.description ?? '',
    args: [...address, ...fields.filter(({ name }) => !(name in (of.fills ?? {})))],
    outputs: [...address.map((property) => ({ ...property, required: property.always })), ...fields, ...computed],
  };
}

function addressProperty(of: Kind, name: string): Property {
  const reference = kindNamed(name)?.token;
  const text = addressText(of, name, reference);
  return {
    name,
    description: text,
    text,
    shape: TEXT,
    required: scopesOf(of).every((scope) => requiredNames(scope).includes(name)),
    secret: false,
    replaces: true,
    always: scopesOf(of).every((scope) => addressNames(scope).includes(name)),
    ...(reference ? { reference } : {}),
  };
}

function addressText(of: Kind, name: string, reference: string | undefined): string {
  if (name === 'name') return `Name of the ${words(of.token)}; default the resource name.`;
  if (reference === undefined) return FALLBACK_TEXTS[name] ?? '';
  const nearest = scopesOf(of).some((scope) => requiredNames(scope).includes(name));
  const others = everyAddressName(of).filter((other) => kindNamed(other) !== undefined);
  const together = scopesOf(of).flatMap((scope) => {
    const beside = namesBeside(scope);
    return scope.within === undefined || beside.length === 0
      ? []
      : [[...beside, argumentFor(scope.within)].join(' and ')];
  });
  const both = together.length === 0 ? '' : `, or ${together.join(', or ')}`;
  const choice = of.scopes ? ` It is in one of ${others.join(', ')}: give the nearest${both}.` : '';
  return nearest
    ? `The ${words(reference)} it belongs to: the resource, or its name.${choice}`
    : `The ${words(reference)} it is in; follows from the nearer resource when that is given as an object.`;
}

function fieldProperty(of: Kind, name: string, field: Field, documentation: FieldDocumentation | undefined): Property {
  const { base } = field;
  const hasDefault = base !== '' && !field.required && base !== '{}';
  const text = documentation?.description ?? '';
  const facts = [
    ...(hasDefault ? [`Default \`${base}\`.`] : []),
    ...(field.fixed ? ['A change replaces the resource.'] : []),
    ...(field.secret ? ['Secret.'] : []),
  ];
  const reference = field.refersTo;
  return {
    name,
    description: [text, ...facts].join(' ').trim(),
    text,
    shape: field.shape,
    ...(hasDefault ? { base } : {}),
    required: field.required && !settledNames(of).includes(name),
    secret: field.secret,
    replaces: field.fixed,
    always: false,
    ...(reference ? { reference } : {}),
    ...(documentation?.object ? { object: documentation.object } : {}),
  };
}

/** `CloudConfiguration` → `cloud configuration`. */
const words = (token: string): string => token.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
