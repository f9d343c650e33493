// Laws of the pages: links, the index, dependencies, reference pages, and every block that runs.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { runInThisContext } from 'node:vm';
import { tmpdir } from 'node:os';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import * as ts from 'typescript';
import { secret } from '@pulumi/pulumi/output';
import { functions } from '../../provider/functions';
import { argumentNames, camelCase, everyAddressName, type Kind, snakeCase } from '../../provider';
import { kinds } from '../../provider/kinds';
import * as sdk from '../../sdk';
import { recorded, type Registered } from '../recording-monitor';
import { devDependencies, version } from '../../package.json';
import { prepare } from '../../stack/host/prepare';
import { renderReview } from '../../drift';
import { sampleFinding, sampleReview } from '../world/sample-review';
import { readStack } from '../../stack';
import { createService, fastClock, listen, type Listening, type Service } from '../../service';
import { eachFolder, sharedFolder } from '../folder';
import { blocksOf, filesBelow, pagesIn, ROOT, textOf } from './page-blocks';

const below = (folder: string): readonly string[] => filesBelow(folder, '.md');

const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'llms.txt',
  ...below('docs'),
  ...below('examples'),
];
const prose = (page: string): string => textOf(page).replace(/^```[^]*?^```$/gm, '');

/** Anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

const linksOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

test.each(pages.filter((page) => linksOf(page).length > 0))('every link of %s leads somewhere', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

test('every row of a table has as many cells as its head', () => {
  const cells = (line: string): number => line.replace(/\\\||`[^`]*`/g, '').split('|').length;
  const tables = pages
    .flatMap((page) => prose(page).match(/(?:^\|.*\n)+/gm) ?? [])
    .map((table) => table.trimEnd().split('\n'));
  expect(tables.length).toBeGreaterThan(100);
  for (const [head = '', ...rows] of tables) expect(rows.filter((row) => cells(row) !== cells(head))).toEqual([]);
});

test('the index lists every page', () => {
  const listed = linksOf('docs/README.md').map((link) => join('docs', link));
  const all = below('docs').filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/reference/'));
  expect(all.filter((page) => !listed.includes(page))).toEqual([]);
});

test('a page that people write has at most 1,700 words', () => {
  const written = pagesIn('docs').filter((page) => page !== 'docs/findings.md');
  expect(written.filter((page) => textOf(page).split(/\s+/).length > 1700)).toEqual([]);
});

test('prose of pages that people write wraps at 100 columns', () => {
  const generated = /^llms|^docs\/(reference\/|findings|bench)/;
  const whole = /^ *\||^!\[|^#|^description: |^\[[^\]]*\]\(\S+$/;
  const long = pages
    .filter((page) => !generated.test(page))
    .flatMap((page) => [...prose(page).split('\n')].filter((line) => line.length > 100 && !whole.test(line)));
  expect(long).toEqual([]);
});

test('every dependency is explained, and every one that is not at its newest version', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(textOf('package.json')) as {
    readonly [key: string]: { readonly [name: string]: string };
  };
  const page = textOf('docs/design/dependencies.md');
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);

  const cellsOf = (title: string): readonly (readonly string[])[] => {
    const section = page.slice(page.indexOf(`## ${title}`)).split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((row) => row.startsWith('| `'));
    return rows.map((row) => row.split('|').map((cell) => cell.trim()));
  };
  const listed = cellsOf('Libraries').flatMap(([, name]) => name?.match(/[\w./@-]+/g) ?? []);
  expect(listed.filter((name) => !(name in (dependencies ?? {})))).toEqual([]);

  const all: { readonly [name: string]: string } = { ...dependencies, ...devDependencies };
  const behind = cellsOf('Not at the newest version').map(([, name = '', version]) => [
    name.replaceAll('`', ''),
    version,
  ]);
  expect(behind.length).toBeGreaterThan(0);
  for (const [name = '', version] of behind) expect(`${name} ${all[name]?.split('.')[0]}`).toBe(`${name} ${version}`);
});

// The reference pages: each kind and function has its place with every argument, tables are whole,
// and the examples declare what they say.
describe('reference pages', () => {
  const FOLDER = 'docs/reference/kinds';

  /** `CloudConfiguration` → `cloud-configuration.md`. */
  const fileOf = ({ token }: Kind): string => `${token.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()}.md`;
  const pages = kinds.map((of): [string, Kind, string] => [of.token, of, textOf(`${FOLDER}/${fileOf(of)}`)]);
  const functionsPage = textOf('docs/reference/functions.md');

  test('there is one page for each kind, and the index lists it', () => {
    expect(readdirSync(join(ROOT, FOLDER)).sort()).toEqual(['README.md', ...kinds.map(fileOf)].sort());
    const index = textOf(`${FOLDER}/README.md`);
    expect(kinds.filter((of) => !index.includes(`| [${of.token}](${fileOf(of)}) |`))).toEqual([]);
  });

  test.each(pages)('the page of %s has every argument and output', (_, of, page) => {
    const names = [...argumentNames(of), 'ciId', 'revision', 'origin', ...Object.keys(of.computed)];
    expect(names.filter((name) => !page.includes(`\n| \`${name}\` | `))).toEqual([]);
  });

  test.each(pages)('the program on the page of %s declares one, with its sample', async (_, of, page) => {
    const [, program = ''] = /```ts\nimport \* as oneops from 'pulumi-oneops';\n([^]*?)```/.exec(page) ?? [];
    // Without its import it is JavaScript, and runs as it is.
    const run = runInThisContext(`(function (oneops) {${program}})`) as (oneops: object) => void;
    const declared = (await recorded(() => run(sdk))).filter(({ key }) => key.startsWith(`${of.token}::`));
    expect(declared).toHaveLength(1);
    const { inputs = {} } = declared[0] ?? {};
    const given = Object.keys(of.sample.create).filter((name) => !(name in (of.settles ?? {})));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
    expect(everyAddressName(of).some((name) => name in inputs)).toBe(true);
  });

  test.each(functions.map((of): [string, (typeof functions)[number]] => [of.token, of]))(
    'the page of functions has every argument and result of %s',
    (token, { arguments: args, result }) => {
      const [, section = ''] = functionsPage.split(`\n## ${token}\n`);
      const [own = ''] = section.split('\n## ');
      const names = [...Object.keys(args), ...Object.keys(result)];
      expect(names.filter((name) => !own.includes(`\n| \`${name}\` | `))).toEqual([]);
    },
  );
});

// The example of the Pulumi Kubernetes Operator has only fields that its resource has.

/** The fields of `spec` that the examples use, with their types: docs/stacks.md of the operator. */
const FIELDS: { readonly [field: string]: string } = {
  stack: 'string',
  projectRepo: 'string',
  repoDir: 'string',
  branch: 'string',
  serviceAccountName: 'string',
  refresh: 'boolean',
  continueResyncOnCommitMatch: 'boolean',
  resyncFrequencySeconds: 'number',
  destroyOnFinalize: 'boolean',
  backend: 'string',
  envRefs: 'object',
  workspaceTemplate: 'object',
};

interface Stack {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly [field: string]: unknown };
}

test.each(['stack.yaml', 'fleet.yaml'])('%s has only fields that a Stack has, of their types', (name) => {
  const read = parse(textOf(`examples/pipelines/pulumi-kubernetes-operator/${name}`)) as Stack & {
    readonly items?: readonly Stack[];
  };
  for (const { apiVersion, kind, spec } of read.items ?? [read]) {
    expect([apiVersion, kind]).toEqual(['pulumi.com/v1', 'Stack']);
    const types = Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, typeof value]));
    const known = Object.fromEntries(Object.keys(spec).map((field) => [field, FIELDS[field]]));
    expect(types).toEqual(known);
    expect(spec).toMatchObject({ stack: expect.any(String) as string, branch: expect.any(String) as string });
    // Less than a minute is not supported.
    expect(spec['resyncFrequencySeconds'] ?? 60).toBeGreaterThanOrEqual(60);
  }
});

// Every message that the pages of troubleshooting quote is in the source.
describe('troubleshooting', () => {
  const PAGES = ['docs/troubleshooting.md', 'docs/troubleshooting-runs.md'].map(textOf).join('\n');

  const sources = ['api', 'provider', 'sdk', 'stack', 'drift', 'preview', 'service', 'cli']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(textOf)
    .join('\n');

  /** Messages in headings, each as its fixed parts: `…` stands for what differs. */
  const messages = [...PAGES.matchAll(/^### `(.+)`$/gm)].map(([, message = '']) => message);
  const partsOf = (message: string): readonly string[] =>
    message
      .split('…')
      .map((part) => part.trim())
      .filter((part) => /[a-z]/i.test(part));

  test('the pages have messages, each of them once', () => {
    expect(messages.length).toBeGreaterThan(24);
    expect(messages.filter((message, index) => messages.indexOf(message) !== index)).toEqual([]);
  });

  test.each(messages)('%s', (message) => {
    expect(partsOf(message)).not.toEqual([]);
    expect(partsOf(message).filter((part) => !sources.includes(part))).toEqual([]);
  });
});

// The templates for `pulumi new`: both declare the same, ask the same, and use our versions.

const PROJECT = 'shop';
const OWNER = 'team@acme.io';

/** A file of a template as `pulumi new` writes it: with a line break after each value in YAML. */
const written = (template: string, file: string): string =>
  textOf(`templates/${template}/${file}`).replaceAll('${PROJECT}', file.endsWith('.yaml') ? `${PROJECT}\n` : PROJECT);

/** Runs a TypeScript program, with what it gets in place of Pulumi's own SDK. */
function runProgram(program: string, pulumi: object): void {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const run = runInThisContext(`(function (require, exports) {${outputText}\n})`) as (
    require: (name: string) => unknown,
    exports: object,
  ) => void;
  run((name) => (name === 'pulumi-oneops' ? sdk : pulumi), {});
}

const keysOf = async (run: () => unknown): Promise<readonly string[]> =>
  (await recorded(run)).map(({ key }) => key).sort();

async function keysOfYaml(): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'oneops-template-'));
  try {
    writeFileSync(join(directory, 'oneops.yaml'), written('oneops-yaml', 'oneops.yaml'));
    for (const name of ['@pulumi/pulumi', 'pulumi-oneops'])
      mkdirSync(join(directory, 'node_modules', name), { recursive: true });
    const config = { [`${PROJECT}:owner`]: OWNER };
    const request = {
      directory,
      options: { resources: 'dynamic' },
      config,
      secretKeys: [],
      project: PROJECT,
      stack: 'dev',
    };
    const prepared = prepare(request, (warning) => {
      throw new Error(warning);
    });
    if ('problem' in prepared) throw new Error(prepared.problem);
    return await keysOf(() => prepared.program());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function keysOfProgram(): Promise<readonly string[]> {
  const pulumi = {
    getProject: () => PROJECT,
    Config: class {
      readonly require = (): string => OWNER;
    },
  };
  return keysOf(() => runProgram(written('oneops-typescript', 'index.ts'), pulumi));
}

test('both templates declare the same resources', async () => {
  const keys = await keysOfYaml();
  expect(keys).toEqual(await keysOfProgram());
  expect(keys).toEqual(expect.arrayContaining(['Assembly::shop', 'Deployment::dev', 'Component::web/compute']));
});

test('both ask the same questions, and the token is a secret', () => {
  const questions = ['oneops-yaml', 'oneops-typescript'].map(
    (template) => (parse(written(template, 'Pulumi.yaml')) as { template: { config: object } }).template.config,
  );
  expect(questions[0]).toEqual(questions[1]);
  expect(questions[0]).toMatchObject({ 'oneops:token': { secret: true }, owner: { default: OWNER } });
});

test('the program is installed in the versions that the tests run with', () => {
  const { dependencies } = JSON.parse(written('oneops-typescript', 'package.json')) as { dependencies: object };
  expect(dependencies).toEqual({ '@pulumi/pulumi': devDependencies['@pulumi/pulumi'], 'pulumi-oneops': version });
});

// The pages on stack files name every key of the schema.
describe('stack keys', () => {
  /** What is in code on these pages. */
  const codeOf = (...pages: readonly string[]): string =>
    pages.flatMap((page) => textOf(page).match(/```[^]*?```|`[^`\n]+`/g) ?? []).join('\n');

  const PAGES = codeOf(
    ...['yaml', 'yaml-environments', 'yaml-options', 'composition'].map((page) => `docs/${page}.md`),
  );
  /** Functions have generated pages with an example of each. */
  const FUNCTIONS = codeOf('docs/reference/values.md', 'docs/reference/functions.md', 'docs/functions.md');

  interface Schema {
    readonly properties?: { readonly [key: string]: unknown };
    readonly definitions?: { readonly [name: string]: Schema };
  }

  const schema = JSON.parse(textOf('schemas/stack.schema.json')) as Schema;
  const { definitions = {}, ...root } = schema;

  /** Attributes of a class belong to the catalogue: `packs` and the editor show them. */
  const isClass = (name: string): boolean => /^(component|environmentComponent)\./.test(name);
  /** The templates of packs, by which components are named. */
  const templates = new Set(
    Object.values(definitions)
      .flatMap((each) => keysBelow(each))
      .flatMap(([key, value]) => (key === 'components' ? keysBelow(value) : []))
      .map(([key]) => key),
  );

  function keysBelow(node: unknown): readonly (readonly [key: string, value: unknown])[] {
    if (typeof node !== 'object' || node === null) return [];
    const { properties } = node as Schema;
    const own = typeof properties === 'object' && !Array.isArray(node) ? Object.entries(properties) : [];
    return [...own, ...Object.values(node).flatMap((inner) => keysBelow(inner))];
  }

  const isNamed = (key: string, code: string): boolean =>
    [key, snakeCase(key), camelCase(key)].some((word) => code.split(/[^\w:-]+|:(?=\s|$)/m).includes(word));

  test.each([['the top', root] as const, ...Object.entries(definitions).filter(([name]) => !isClass(name))])(
    'the keys of %s',
    (name, definition) => {
      const pages = (key: string): string => (key.startsWith('fn::') || name === 'invoke' ? FUNCTIONS : PAGES);
      const keys = [...new Set(keysBelow(definition).map(([key]) => key))].filter((key) => !templates.has(key));
      expect(keys.filter((key) => !isNamed(key, pages(key)))).toEqual([]);
    },
  );
});

// The scripts that keep one issue for the drift of a stack, with `gh` and `glab`: run against a
// command that stands in for both, keeps the issues in a file and records each call.
describe('issue scripts', () => {
  const STUB = join(ROOT, 'test/engine/platform-stub.cjs');
  const TOKEN = 'canary-issue-token-57';
  const DRIFT = renderReview('markdown', sampleReview());
  const OTHER_DRIFT = renderReview('markdown', sampleReview({ findings: [sampleFinding(1)] }));
  const IN_SYNC = renderReview('markdown', sampleReview({ findings: [], outcome: 'in-sync', summary: 'in sync' }));

  describe.each([
    ['github-issue.sh', 'gh', { GH_TOKEN: TOKEN, GH_REPO: 'acme/shop' }],
    ['gitlab-issue.sh', 'glab', { GITLAB_TOKEN: TOKEN, CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop' }],
  ])('%s', (script, program, settings) => {
    const folder = eachFolder();
    beforeEach(() => {
      writeFileSync(join(folder.path, program), `#!/bin/sh\nexec '${process.execPath}' '${STUB}' ${program} "$@"\n`);
      chmodSync(join(folder.path, program), 0o755);
    });

    /** Runs the script after a review with this report and exit code. */
    const after = (report: string, status: number, { stack = 'dev', given = settings } = {}): number | null => {
      writeFileSync(join(folder.path, 'drift.md'), report);
      const path = join(ROOT, 'examples', 'pipelines', 'shell', script);
      return spawnSync('sh', [path, stack, 'drift.md', String(status)], {
        cwd: folder.path,
        env: { PATH: `${folder.path}${delimiter}${process.env['PATH'] ?? ''}`, PLATFORM_FOLDER: folder.path, ...given },
      }).status;
    };
    const written = (name: string): string =>
      existsSync(join(folder.path, name)) ? readFileSync(join(folder.path, name), 'utf8') : '';
    const issues = (): unknown => JSON.parse(written('issues.json') || '[]');
    /** The verbs that were called since the last look. */
    let seen = 0;
    const verbs = (): readonly string[] => {
      const all = written('calls.jsonl').split('\n').slice(0, -1);
      const fresh = all.slice(seen).map((line) => (JSON.parse(line) as readonly string[]).slice(1, 3).join(' '));
      seen = all.length;
      return fresh.filter((verb) => verb !== 'issue list');
    };
    beforeEach(() => {
      seen = 0;
    });

    const body = (report: string): string => (program === 'glab' ? report.trimEnd() : report);
    const edit = program === 'gh' ? 'issue edit' : 'issue update';
    const title = 'Drift in dev';
    const label = 'oneops-drift-dev';

    test('one issue is opened, updated, closed, and opened again', () => {
      expect(after(DRIFT, 2)).toBe(0);
      expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(DRIFT) }]);
      expect(after(OTHER_DRIFT, 2)).toBe(0);
      expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(OTHER_DRIFT) }]);
      verbs();
      expect(after(IN_SYNC, 0)).toBe(0);
      expect(issues()).toEqual([{ number: 1, title, label, state: 'CLOSED', body: body(IN_SYNC) }]);
      expect(verbs()).toEqual([edit, 'issue close']);
      expect(after(IN_SYNC, 0)).toBe(0);
      expect(verbs()).toEqual([]);
      expect(after(DRIFT, 2)).toBe(0);
      expect(issues()).toEqual([{ number: 1, title, label, state: 'OPEN', body: body(DRIFT) }]);
      expect([...verbs()].sort()).toEqual([edit, 'issue reopen'].sort());
      expect(written('calls.jsonl')).not.toContain(TOKEN);
    });

    test('a stack in sync has no issue, and each stack has its own', () => {
      expect(after(IN_SYNC, 0)).toBe(0);
      expect(issues()).toEqual([]);
      for (const stack of ['dev', 'dev2', 'dev']) expect(after(DRIFT, 2, { stack })).toBe(0);
      expect(issues()).toMatchObject([{ label: 'oneops-drift-dev' }, { label: 'oneops-drift-dev2' }]);
    });

    test('a review that was not completed calls nothing, and the script ends with its exit code', () => {
      for (const status of [1, 3, 4, 6]) expect(after(IN_SYNC, status)).toBe(status);
      expect(written('calls.jsonl')).toBe('');
    });

    test('an issue that cannot be looked for is not opened twice: the script fails', () => {
      expect(after(DRIFT, 2, { given: { ...settings, GH_TOKEN: '', GITLAB_TOKEN: '' } })).not.toBe(0);
      expect([verbs(), issues()]).toEqual([[], []]);
    });
  });
});

// The README and the pages of docs. Their shell blocks run in test/engine/pages.test.ts.
describe('blocks', () => {
  // Stack files in the docs and the examples read without a finding, except in findings.md.
  describe('yaml blocks', () => {
    const PAGES = ['README.md', ...['docs', 'docs/reference/kinds'].flatMap(pagesIn)].filter(
      (name) => name !== 'docs/findings.md',
    );

    /** Blocks that are stack files: Pulumi.yaml and pieces are recognized by what they lack. */
    const blocks = PAGES.flatMap((page) =>
      blocksOf(textOf(page), 'yaml')
        .filter((text) => /^assembly:/m.test(text) && !text.startsWith('# file: '))
        .map((text, index): [string, string] => [`${page} block ${index + 1}`, text]),
    );

    /** Files that a page shows next to its blocks: each begins with `# file: NAME`. */
    const filesOf = (name: string): { readonly name: string; readonly content: { readonly text: string } }[] =>
      blocksOf(textOf(name.replace(/ block \d+$/, '')), 'yaml').flatMap((block) => {
        const [, file, text = ''] = /^# file: (.+)\n([^]*)$/.exec(block) ?? [];
        return file === undefined ? [] : [{ name: file, content: { text } }];
      });

    const examples = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'examples', entry.name, 'oneops.yaml')))
      .map((entry): [string, string] => [`examples/${entry.name}`, textOf(`examples/${entry.name}/oneops.yaml`)]);

    test('there are blocks to read', () => {
      expect(blocks.map(([name]) => name)).toEqual(
        expect.arrayContaining(['README.md block 1', 'docs/yaml.md block 1']),
      );
    });

    test.each([...blocks, ...examples])('%s', (name, text) => {
      const { findings, plan } = readStack([{ name, text }], {
        readFile: () => ({ text: 'a file that the page names' }),
        env: { REGION: 'east' },
        choices: {
          stack: 'dev',
          include: (pattern) => {
            const matches = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
            return { files: filesOf(name).filter((file) => matches.test(file.name)) };
          },
        },
      });
      // A page of a kind shows every argument, whatever the others are.
      const isWhole = name.startsWith('docs/reference/kinds');
      expect(findings.filter(({ code }) => !isWhole || code !== 'idle-setting')).toEqual([]);
      expect(plan?.resources.length).toBeGreaterThan(1);
    });
  });

  // The TypeScript blocks of the client's page are one program, which prints what the page says.
  describe('program blocks', () => {
    const TOKEN = 'token-of-the-page';

    const lines = blocksOf(textOf('docs/client.md'), 'ts').join('\n').split('\n');
    const isImport = (line: string): boolean => line.startsWith('import ');
    const program = [
      ...lines.filter(isImport).map((line) => line.replace('pulumi-oneops/client', join(ROOT, 'api', 'client'))),
      'void (async () => {',
      ...lines.filter((line) => !isImport(line)),
      '})();',
    ].join('\n');
    const promised = [...program.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1]);

    const folder = sharedFolder({ files: { 'page.ts': program } });
    const file = (): string => join(folder.path, 'page.ts');
    let service: Service;
    let listening: Listening;

    beforeAll(async () => {
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
    });

    test('the blocks have no type errors', () => {
      const compiled = ts.createProgram([file()], {
        strict: true,
        noEmit: true,
        lib: ['lib.es2022.d.ts'],
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.Node16,
        moduleResolution: ts.ModuleResolutionKind.Node16,
        esModuleInterop: true,
        resolveJsonModule: true,
        skipLibCheck: true,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules', '@types')],
      });
      const source = compiled.getSourceFile(file());
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
        ['--require', join(ROOT, 'test', 'run-source.cjs'), file()],
        { env: { ...process.env, ONEOPS_URL: listening.url, ONEOPS_TOKEN: TOKEN } },
      );
      expect(stdout.trimEnd().split('\n')).toEqual(promised);
    }, 60_000);
  });

  // The stack files and the program of the page on programs declare together what the page says.
  describe('program page', () => {
    const PAGE = textOf('docs/programs.md');
    const program = blocksOf(PAGE, 'ts').join('\n');
    const files = [...PAGE.matchAll(/^```yaml\n# file: (\S+)\n([^]*?)^```$/gm)];

    sharedFolder({ isHere: true, files: Object.fromEntries(files.map(([, name = '', text = '']) => [name, text])) });
    let all: readonly Registered[];

    beforeAll(async () => {
      all = await recorded(() => runProgram(program, { secret }));
    });

    test('the files and the program declare one stack', () => {
      expect(files.map(([, name]) => name)).toEqual(['assembly.yaml', 'web.yaml']);
      const keys = all.map(({ key }) => key);
      for (const key of [
        'Assembly::shop',
        'Platform::web',
        'Environment::prod',
        'Deployment::prod',
        'Component::web/compute',
      ])
        expect(keys).toContain(key);
      const inputsOf = (key: string) => all.find((each) => each.key === key)?.inputs;
      expect(inputsOf('Attachment::motd')).toMatchObject({ platform: 'web', component: 'deployer' });
      expect(inputsOf('Environment::prod')).toMatchObject({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
      expect(inputsOf('Variable::platforms/web/variables/KEY')).toMatchObject({ encryptedValue: { secret: 's3cret' } });
    });

    test('the kinds that the page lists are declared on it', () => {
      const kinds = ['Cloud', 'CloudService', 'Relay', 'Monitor', 'InstanceReplacement', 'Procedure', 'Team'];
      const declared = all.map(({ key }) => key.split('::')[0]);
      for (const kind of kinds) {
        expect(declared).toContain(kind);
        expect(PAGE).toContain(`| \`${kind}\` |`);
      }
    });

    test('what is declared with another provider, and what is in it, goes to the other service', () => {
      const providers = all.filter(({ key }) => key.includes('theirs')).map(({ provider }) => provider);
      expect(providers.length).toBeGreaterThan(1);
      expect(providers.filter((provider) => !provider.includes('other'))).toEqual([]);
    });
  });
});
