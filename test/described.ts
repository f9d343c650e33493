// Checks of values against openapi.json: bodies and answers of operations, by the schemas the document gives them.
import Ajv, { type ValidateFunction } from 'ajv';
import { type Dialect, dialectRules } from '../api/contract';
import { openApiText } from '../api/contract/openapi';

/** One content of a request or a response. */
interface Content {
  readonly [media: string]: {
    readonly schema: object;
    readonly example?: unknown;
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: string | number;
  readonly schema: object;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Content } };
}

/** What the document of a dialect says. */
interface Described {
  readonly operations: ReadonlyMap<string, DescribedOperation>;
  /** Why a value does not fit a schema of the document; undefined when it does. */
  fault(schema: object, value: unknown): string | undefined;
  /** Why a body is not as the document says of this operation; undefined when it is. */
  bodyFault(operationId: string, body: unknown): string | undefined;
  /**
   * Why an answer is not as the document says of this operation: its status is not among the operation's, or its body does not fit. Undefined when
   * it is as described.
   */
  answerFault(operationId: string, status: number, body: unknown): string | undefined;
}

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: Omit<DescribedOperation, 'parameters'> & {
        readonly parameters?: readonly { readonly $ref: string }[];
      };
    };
  };
  readonly components: {
    readonly parameters: { readonly [name: string]: Parameter };
    readonly responses: { readonly [name: string]: { readonly content?: Content } };
  };
}

const read = new Map<Dialect, Described>();

/** What the document of a dialect says; read once. */
export function described(dialect: Dialect): Described {
  const known = read.get(dialect) ?? readDocument(dialect);
  read.set(dialect, known);
  return known;
}

function readDocument(dialect: Dialect): Described {
  const document = JSON.parse(openApiText(dialectRules[dialect])) as Document;
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, logger: false });
  ajv.addSchema(document, 'openapi.json');
  const checks = new Map<string, ValidateFunction>();
  const operations = new Map(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ parameters = [], ...operation }): [string, DescribedOperation] => [
        operation.operationId,
        {
          ...operation,
          parameters: parameters.flatMap(
            ({ $ref }) => document.components.parameters[$ref.replace('#/components/parameters/', '')] ?? [],
          ),
        },
      ]),
    ),
  );
  const checkOf = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/');
    const known = checks.get(text) ?? ajv.compile(JSON.parse(text) as object);
    checks.set(text, known);
    return known;
  };
  const fault = (schema: object, value: unknown): string | undefined => {
    const check = checkOf(schema);
    return check(value) === true ? undefined : ajv.errorsText(check.errors);
  };
  return {
    operations,
    fault,
    bodyFault: (operationId, body) => {
      const { required, content } = operations.get(operationId)?.requestBody ?? {};
      const schema = content?.['application/json']?.schema;
      if (body === undefined) return required === true ? `${operationId} requires a body` : undefined;
      return schema === undefined ? `${operationId} takes no body` : fault(schema, body);
    },
    answerFault: (operationId, status, body) => {
      const answer = operations.get(operationId)?.responses[String(status)];
      if (answer === undefined) return `${operationId} does not describe the status ${status}`;
      const name = answer.$ref?.replace('#/components/responses/', '');
      const content = (name === undefined ? answer : document.components.responses[name])?.content;
      const schema = content?.['application/json']?.schema;
      if (schema === undefined) return body === undefined ? undefined : `${operationId} describes no body of ${status}`;
      return fault(schema, body);
    },
  };
}
