// Work in the folder of a stack: commands read the project, its files and its settings where they are called.

/** Runs work with another current folder, and goes back whatever comes of it. One at a time: a process has one current folder. */
export async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(before);
  }
}
