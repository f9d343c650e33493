// What a conversion says of the example of one of its codes.
// It must not know any single code.
import { classMetadata, templateClass } from '../../api/contract';
import type { ConversionCode } from '../findings/codes';
import { renderFindings } from '../findings/render';
import { convert } from './convert';
import { reportLines } from './report';

/** An example of a code: the files, and the lines of the report, or the findings, that have the code. */
export function conversionExample({ code, old, profiles }: ConversionCode): {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly told: string;
} {
  const source = { name: 'old.yaml', text: old };
  const given = profiles === undefined ? undefined : { name: 'config.ini', text: profiles };
  const { accounts, findings, files } = convert(
    {
      ...source,
      assembly: 'shop',
      readPartial: (name) => ({ problem: `there is no file ${name}.yaml` }),
      ...(given === undefined ? {} : { profiles: given }),
    },
    { classMetadata, templateClass },
  );
  const found = findings.filter((finding) => finding.code === code);
  const lines = reportLines(accounts.filter((account) => account.code === code)).map((line) => `${line}\n`);
  return {
    files: [source, ...(given === undefined ? [] : [given])],
    // The number of findings is that of this code alone.
    told: `${renderFindings(found, files).replace(/[^\n]+\n$/, '')}${lines.join('')}`,
  };
}
