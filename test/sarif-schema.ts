// What the schema of SARIF 2.1.0 says of a report.
// It must not know who wrote the report.
import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';

/** A JSON file of this repository or of a package. */
export const jsonFile = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;

/** Whether a document is what a schema says. SARIF's own schema is written in draft 4, ours in draft 7. */
export const validatorOf = (schema: object): ValidateFunction =>
  new Ajv({ schemaId: 'auto', allErrors: true, logger: false })
    .addMetaSchema(jsonFile(require.resolve('ajv/lib/refs/json-schema-draft-04.json')))
    .compile(schema);

/** Whether a report is SARIF 2.1.0. */
export const isSarif = validatorOf(
  jsonFile(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')),
);
