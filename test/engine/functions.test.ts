// Functions on the real engine, as docs/functions.md shows them: in YAML and in TypeScript.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY, type Project } from '../world/engine';
import { inlineProgram, type InlineProgram } from './inline-program';
import { TOKEN } from './live-service';
import { openStories } from './story';

const { live, open } = openStories('classic');

/** The first block of a language on the page. */
async function block(language: string): Promise<string> {
  const text = await readFile(join(REPOSITORY, 'docs', 'functions.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? `no ${language}`;
}

const settings = (): { readonly [key: string]: string } => ({ 'oneops:url': live.url, 'oneops:organization': 'acme' });

/** Requests since the last call, without those for the catalogue. */
const asked = (): readonly string[] =>
  live
    .requests()
    .filter((request) => request !== 'GET catalogue.publicOfferings')
    .sort();

interface Steps {
  readonly steps?: readonly { readonly urn: string; readonly newState?: { readonly inputs?: object } }[];
}

describe('in YAML', () => {
  let project: Project;

  beforeAll(async () => {
    project = await open({ files: { 'oneops.yaml': await block('yaml') } });
  });

  test('a preview asks what can be asked, and not about what does not exist yet', async () => {
    live.requests();
    const preview = await project.run('preview', '--json');
    expect([preview.code, asked()]).toEqual([
      0,
      ['GET assemblies.list', 'GET clouds.list', 'GET clouds.locations', 'GET clouds.read', 'GET clouds.read'],
    ]);
    const { steps = [] } = JSON.parse(preview.stdout) as Steps;
    const web = steps.find(({ urn }) => urn.endsWith('::web'));
    expect(web?.newState?.inputs).toMatchObject({ description: 'Primary' });
  });

  test('a run has every value', async () => {
    const up = await project.run('up', '--skip-preview');
    expect(up.output).toContain('created');
    expect(JSON.parse((await project.succeeds('stack', 'output', '--json')).stdout)).toMatchObject({
      east: expect.any(Number),
      owner: 'team@acme.io',
      threads: expect.stringMatching(/^\d+$/),
      locations: { 'ec2-us-east-1': expect.stringContaining('/clouds/ec2-us-east-1') },
    });
    expect(up.output).not.toContain(TOKEN);
    live.requests();
    const again = await project.run('preview', '--expect-no-changes');
    expect([again.code, live.requests().filter((request) => !request.startsWith('GET '))]).toEqual([0, []]);
  });

  test('what the service does not know is reported once, at its line, without a stack trace', async () => {
    await project.write(
      'oneops.yaml',
      (await block('yaml')).replace('name: east }, return: ciId', 'name: eats }, return: ciId'),
    );
    const up = await project.run('up', '--skip-preview');
    expect(up.code).not.toBe(0);
    expect(up.output).toMatch(/oneops\.yaml:8:\d+: getCloud\(name: eats\): the service answered 404/);
    expect(up.output).not.toMatch(/\n\s+at .*\.js:\d+/);
    expect(up.output).not.toContain(TOKEN);
    await project.write('oneops.yaml', await block('yaml'));
    expect((await project.run('destroy', '--skip-preview')).code).toBe(0);
  });
});

describe('in TypeScript', () => {
  let project: InlineProgram;

  const drive = (operation: string) => project.drive({ ...settings(), 'oneops:token': TOKEN }, operation);

  beforeAll(async () => {
    project = await inlineProgram({ 'program.ts': await block('ts') });
  });

  afterAll(() => project.remove());

  test('a preview asks what can be asked, and not about what does not exist yet', async () => {
    live.requests();
    const { shown } = await drive('preview');
    expect(shown).toContain('RESULT');
    // The program and the provider are two processes, and each asks for the clouds.
    expect(asked()).toEqual(['GET assemblies.list', 'GET clouds.list', 'GET clouds.list', 'GET clouds.read']);
  });

  test('a run has every value, secrets as secrets', async () => {
    const { outputs, shown } = await drive('up');
    expect([outputs, shown]).toEqual([
      { id: expect.any(Number), key: 'east-key', owner: 'team@acme.io', clouds: ['east', 'west'] },
      expect.not.stringMatching(/east-key"?\n|canary-token/),
    ]);
    expect(shown).toMatch(/key\s*: \[secret\]/);
    expect(shown).toMatch(/id\s*: \d+/);
    await drive('destroy');
    expect(await live.assemblies()).toEqual([]);
  });
});
