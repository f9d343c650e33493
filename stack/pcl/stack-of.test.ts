// A program in PCL becomes the stack file that says the same; what the file cannot say is a note at its place and a comment, and no text is a crash.
import { DiagnosticSeverity, type Diagnostic } from '@pulumi/pulumi/proto/codegen/hcl_pb';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generation } from '../language-host/generation';
import { stackOf } from './stack-of';

const RUNS = Number(process.env['RUNS'] ?? 50);

const made = (text: string): { readonly text: string; readonly notes: readonly string[] } => {
  const { text: file, notes } = stackOf([{ name: 'p.pp', text }]);
  return { text: file, notes: notes.map(({ severity, at, summary }) => `${severity} ${at.start.line}: ${summary}`) };
};

const ASSEMBLY = 'resource shop "oneops:index:Assembly" {\n  owner = "team@acme.io"\n}\n';
const PLATFORM = `resource web "oneops:index:Platform" {
  assembly = shop.name
  source = "oneops"
  pack = "custom"
  version = "1"
}
`;

const inAttachment = (content: string): string =>
  `${ASSEMBLY}${PLATFORM}resource "web/motd" "oneops:index:Attachment" {
  assembly = shop.name
  platform = web.name
  component = "os"
  name = "motd"
  path = "/etc/motd"
  content = ${content}
}
`;

const TEMPLATE = 'warning 10: web/motd: if the template of os has another name, write it below TEMPLATE: { os: … }';

test.each<[string, string, string, readonly string[]]>([
  ['a program', ASSEMBLY, 'assembly: { name: shop, owner: team@acme.io }\n', []],
  ['with CRLF and a byte order mark', `\uFEFF${ASSEMBLY.replaceAll('\n', '\r\n')}`, 'name: shop, owner: team', []],
  [
    'a name in the state that is not that of the file',
    `${ASSEMBLY}resource other "oneops:index:Platform" {\n __logicalName = "old"\n name = "web"\n assembly = "shop"\n source = "oneops"\n pack = "custom"\n version = "1"\n options {\nprotect =true\n}\n}\n`,
    'web:\n    pack: oneops/custom:1\n    pulumi: { protect: true, aliases: [old] }',
    [],
  ],
  ['text that looks like a reference', inAttachment('"$${x} %%{y}\\n\\"zwei\\" \\u00e4\\n"'), '$${x} %{y}', [TEMPLATE]],
  ['a reference behind a dollar sign', inAttachment('"$${a}$${web.revision}"'), '$${a}$${web.revision}', [TEMPLATE]],
  [
    'a reference to a resource',
    inAttachment('"r ${web.revision}"'),
    "content: 'r ${platforms.web.revision}'",
    [TEMPLATE],
  ],
  [
    'a heredoc',
    inAttachment('<<EOT\none\n  two\nEOT'),
    'content: |\n              one\n                two\n',
    [TEMPLATE],
  ],
  [
    'configuration',
    `config Owner string {\n default = "a@b.c"\n}\n${ASSEMBLY.replace('"team@acme.io"', 'Owner')}`,
    "owner: '${config.Owner}'",
    [],
  ],
  [
    'a secret',
    `${ASSEMBLY}resource KEY "oneops:index:Variable" {\n assembly = shop.name\n encryptedValue = secret("hush")\n}\n`,
    'value: ${config.KEY}',
    ['warning 4: run: pulumi config set --secret KEY'],
  ],
  [
    'a secret that the record must have, and no import prints',
    'resource north "oneops:index:Cloud" {\n  location = "/acme/_clouds/north"\n}\n',
    "\n  north: { location: /acme/_clouds/north, auth: '${config.north-auth}' }",
    [
      'warning 1: run: pulumi config set --secret north-auth',
      'warning 1: this is a part of a stack file: add it to the file that declares the assembly',
    ],
  ],
  [
    'a secret that the program has in clear',
    'resource north "oneops:index:Cloud" {\n location = "/acme/_clouds"\n auth = "hush"\n}\n',
    'clouds:',
    [
      'warning 1: run: pulumi config set --secret north-auth',
      'warning 1: this is a part of a stack file: add it to the file that declares the assembly',
    ],
  ],
  ['an expression', `${ASSEMBLY}x = 1 + 2\n`, 'name: shop', ['error 4: a stack file has no such expression']],
  [
    'a value that needs itself',
    inAttachment('a').concat('a = b\nb = a\n'),
    'path: /etc/motd',
    ['error 19: the value of a needs a', TEMPLATE],
  ],
  [
    'a resource of another package',
    `${ASSEMBLY}resource b "aws:s3:Bucket" {}\n`,
    'name: shop',
    ['error 4: b is a resource of the type "aws:s3:Bucket": a stack file declares those of OneOps only'],
  ],
  [
    'the same record twice',
    `${ASSEMBLY}${PLATFORM}${PLATFORM.replace('web', 'two').replace('assembly', 'name = "web"\n assembly')}`,
    'pack: oneops/custom:1',
    ['error 10: two is the same Platform as web: a stack file declares it once'],
  ],
  [
    'a half-written block',
    `${ASSEMBLY}resource web "oneops:index:Platform" {\n assembly = `,
    'name: shop',
    [
      'error 5: a value is expected here',
      'error 4: the block resource is not closed',
      'error 4: web does not say where it is',
    ],
  ],
  [
    'a parent that is only in the state',
    `${ASSEMBLY}${PLATFORM.replace(/}\n$/, 'options {\nparent = sub\n}\n}\n')}`,
    '# not converted: this resource is not part of the code',
    ['error 10: this resource is not part of the code'],
  ],
])('%s', (_, program, file, notes) => {
  const { text, notes: found } = made(program);
  expect(text).toContain(file);
  expect([text, found]).toEqual([text, notes]);
  expect(text).not.toContain('hush');
});

test('no text is a crash', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...ASSEMBLY.split(' '),
      ...PLATFORM.split(' '),
      '${',
      '}',
      '"',
      '<<EOT\n',
      '[',
      '(',
      '\\u',
      '\r\n',
      'secret(',
      '=',
    ),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      stackOf([{ name: 'p.pp', text: pieces.join(' ') }]);
    }),
    { numRuns: RUNS },
  );
  expect(made('x = '.concat('['.repeat(10_000))).notes[0]).toContain('nested more than 64 levels');
});

interface Answered {
  readonly error?: { readonly details: string };
  readonly answer: unknown;
}

const ask = (method: string, request: object): Promise<Answered> =>
  new Promise((resolve) => {
    const answered = (error: { readonly details: string } | null, answer: unknown): void =>
      resolve({ ...(error === null ? {} : { error }), answer });
    (generation[method] as (call: unknown, callback: unknown) => void)({ request }, answered);
  });

test('a converted project is two files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oneops-project-'));
  try {
    writeFileSync(join(folder, 'program.pp'), `${ASSEMBLY}x = 1 + 2\n`);
    const project = { name: 'p', runtime: 'yaml', config: { owner: { type: 'string' }, 'oneops:url': { value: 'u' } } };
    const request = {
      getSourceDirectory: () => folder,
      getTargetDirectory: () => join(folder, 'out'),
      getProject: () => JSON.stringify(project),
    };
    const { answer } = await ask('generateProject', request);
    const [diagnostic] = (answer as { getDiagnosticsList(): Diagnostic[] }).getDiagnosticsList();
    expect(diagnostic?.getSeverity()).toBe(DiagnosticSeverity.DIAG_WARNING);
    expect(diagnostic?.getSummary()).toBe('not converted: a stack file has no such expression');
    expect(diagnostic?.getSubject()?.getStart()?.getLine()).toBe(4);
    const written = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
    expect(written('Pulumi.yaml')).toBe('name: p\nruntime: oneops\nconfig:\n  oneops:url:\n    value: u\n');
    expect(written('oneops.yaml')).toContain('assembly: { name: shop, owner: team@acme.io }');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('our package needs no SDK, and another one cannot be used', async () => {
  const own = await ask('generatePackage', { getSchema: () => '{"name":"oneops"}' });
  expect([own.error, own.answer]).toEqual([undefined, expect.anything()]);
  const other = await ask('generatePackage', { getSchema: () => '{"name":"aws"}' });
  expect(other.error?.details).toContain('takes no packages');
});
