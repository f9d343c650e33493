// What the schema of SARIF 2.1.0 says of a report.
import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';

/** A JSON file of this repository or of a package. */
export const jsonFile = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;

/** The formats that SARIF's schema names. */
const formats = {
  'date-time': (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
  'uri-reference': (text: string) => URL.canParse(text, 'file:///'),
};

/** Whether a document is what a schema says. */
export const validatorOf = (schema: object): ValidateFunction =>
  new Ajv({ strict: false, allErrors: true, logger: false, unicodeRegExp: false, formats }).compile(schema);

const { $schema, id, ...sarif } = jsonFile(
  require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
) as { readonly [key: string]: unknown };

/** Whether a report is SARIF 2.1.0. What its schema says is the same in draft 4, which it names, and in draft 7. */
export const isSarif = validatorOf(sarif);
