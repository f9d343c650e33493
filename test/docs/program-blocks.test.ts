// The TypeScript blocks of the page of the client: together one program, which compiles and prints what the page says.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as ts from 'typescript';
import { createService, fastClock, listen, type Listening, type Service } from '../../service';

const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'client.md'), 'utf8');
const TOKEN = 'token-of-the-page';

const blocks = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1] ?? '');
const lines = blocks.join('\n').split('\n');
const isImport = (line: string): boolean => line.startsWith('import ');
const program = [
  ...lines.filter(isImport).map((line) => line.replace('pulumi-oneops/client', join(ROOT, 'api', 'client'))),
  'void (async () => {',
  ...lines.filter((line) => !isImport(line)),
  '})();',
].join('\n');
const promised = [...program.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1]);

let folder: string;
let file: string;
let service: Service;
let listening: Listening;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-program-'));
  file = join(folder, 'page.ts');
  writeFileSync(file, program);
  service = createService({
    database: ':memory:',
    dialect: 'documented',
    clock: fastClock(200),
    users: [{ name: 'admin', token: TOKEN }],
  });
  listening = await listen(service, { port: 0 });
});

afterAll(async () => {
  await listening.close();
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the blocks have no type errors', () => {
  const compiled = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    esModuleInterop: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  });
  const source = compiled.getSourceFile(file);
  const findings = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
  expect(findings.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}, 120_000);

test('every call that prints says what', () => {
  expect(promised.length).toBeGreaterThan(5);
  expect(program.match(/console\.log\(/g)).toHaveLength(promised.length);
});

test('they run, and print what the page says', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--require', join(ROOT, 'test', 'run-source.cjs'), file],
    { env: { ...process.env, ONEOPS_URL: listening.url, ONEOPS_TOKEN: TOKEN } },
  );
  expect(stdout.trimEnd().split('\n')).toEqual(promised);
}, 60_000);
