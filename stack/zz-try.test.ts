import { readStack, renderFindings } from '/work/main/stack';
import { classMetadata, templateClass } from '/work/main/api/contract';
import { readFileSync } from 'fs';
test('x', () => {
  const files = process.env.F!.split(',').map((f) => ({ name: f.split('/').at(-1)!, text: readFileSync(f, 'utf8') }));
  const t = Date.now();
  const { findings, plan } = readStack(files, {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'no such file' }),
  });
  process.stdout.write(renderFindings(findings, files) + '\n' + (Date.now() - t) + 'ms\n');
  if (plan)
    process.stdout.write(
      plan.resources
        .map(
          (r) =>
            r.kind.token +
            ' ' +
            r.logicalName +
            ' <- ' +
            r.after.join(', ') +
            '\n   ' +
            JSON.stringify(r.args) +
            JSON.stringify(r.secrets),
        )
        .join('\n') + '\n',
    );
});
