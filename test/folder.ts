// A folder for each test of a block, or one for all of them, removed afterwards.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Folder {
  path: string;
  /** Writes texts by their paths in the folder. */
  write(files: { readonly [name: string]: string }): void;
  /** Puts a stand-in for Pulumi's CLI into the folder, which is a script of a shell. */
  pulumi(script: string): void;
}

/** `isHere`: tests run in the folder. `files`: what is in it when a test begins. */
interface Made {
  readonly isHere?: boolean;
  readonly files?: Parameters<Folder['write']>[0];
}

export const eachFolder = (made?: Made): Folder => folderBetween(beforeEach, afterEach, made);

/** One folder for all tests of a block; what is set up with it comes after this call. */
export const sharedFolder = (made?: Made): Folder => folderBetween(beforeAll, afterAll, made);

function folderBetween(
  first: typeof beforeAll,
  last: typeof afterAll,
  { isHere = false, files = {} }: Made = {},
): Folder {
  const before = process.cwd();
  let made = '';
  const folder = {
    path: '',
    write: (texts: typeof files) => {
      for (const [name, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(folder.path, name)), { recursive: true });
        writeFileSync(join(folder.path, name), text);
      }
    },
    pulumi: (script: string) => writeFileSync(join(folder.path, 'pulumi'), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
  };
  first(() => {
    made = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-test-')));
    folder.path = made;
    folder.write(files);
    if (isHere) process.chdir(folder.path);
  });
  last(() => {
    process.chdir(before);
    rmSync(made, { recursive: true, force: true });
  });
  return folder;
}
