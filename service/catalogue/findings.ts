// What is wrong with a folder of catalogue files, said with file and place.
import { type Diagnostic, formatPath, type Path, problem } from '../../api/contract';

/** A finding in one file. */
export interface CatalogueFinding extends Diagnostic {
  readonly file: string;
}

/** Thrown when catalogue files cannot be used: all findings at the same time, one line each. */
export class CatalogueError extends Error {
  constructor(readonly findings: readonly CatalogueFinding[]) {
    super(
      ['The pack catalogue cannot be loaded', ...findings.map((finding) => `  ${formatFinding(finding)}`)].join('\n'),
    );
    this.name = 'CatalogueError';
  }
}

/** `file: path: message` */
export function formatFinding({ file, path, message }: CatalogueFinding): string {
  return [file, ...(path.length === 0 ? [] : [formatPath(path)]), message].join(': ');
}

/** A finding that stops the loading. */
export function finding(file: string, code: string, path: Path, message: string): CatalogueFinding {
  return { file, ...problem(code, path, message) };
}
