// A folder for each test of a block, made before the test and removed after it.
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
export function eachFolder({
  isHere = false,
  files = {},
}: { readonly isHere?: boolean; readonly files?: Parameters<Folder['write']>[0] } = {}): Folder {
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
  beforeEach(() => {
    made = realpathSync(mkdtempSync(join(tmpdir(), 'oneops-test-')));
    folder.path = made;
    folder.write(files);
    if (isHere) process.chdir(folder.path);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(made, { recursive: true, force: true });
  });
  return folder;
}
