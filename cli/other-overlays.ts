// What is wrong with the overlays of the files in the current folder that no choice of a check uses.
// It must not know how findings are shown, nor what an overlay may contain.
import { entryOf, type Finding } from '../stack';
import { configuredHere, stackFile, stacksHere, yamlErrorsHere } from './project';
import { readStackHere, type StackChoice, type StackHere } from './read-stack';

/**
 * What is found with each other overlay that is not found in `plain`, the reading of the choice: each finding once, and the files that findings point into. An
 * overlay whose stack has settings here is judged with them.
 */
export function findingsOfOtherOverlays(
  names: readonly string[],
  choice: StackChoice,
  plain: StackHere,
): Pick<StackHere, 'findings' | 'files'> {
  const chosen = configuredHere('oneops:overlay', choice.stack) ?? choice.stack?.split('/').at(-1);
  const others = choice.overlay === undefined ? overlaysOf(plain).filter((name) => name !== chosen) : [];
  const known = new Set(plain.findings.map(identityOf));
  const findings: Finding[] = [];
  const readings = others.map((overlay) => readOverlay(names, { ...choice, overlay }));
  for (const finding of readings.flatMap((reading) => reading.findings)) {
    const identity = identityOf(finding);
    if (!known.has(identity)) findings.push(finding);
    known.add(identity);
  }
  const isNew = ({ name }: { readonly name: string }): boolean => !plain.files.some((file) => file.name === name);
  return {
    findings,
    files: [...new Map(readings.flatMap(({ files }) => files.filter(isNew)).map((file) => [file.name, file])).values()],
  };
}

/** Names of the overlays in the files of a stack, with those that are included. */
const overlaysOf = ({ trees }: StackHere): readonly string[] => [
  ...new Set(
    (trees?.written ?? []).flatMap((root) => {
      const overlays = entryOf(root, 'overlays')?.value;
      return overlays?.form === 'map' ? overlays.entries.map(({ key }) => key) : [];
    }),
  ),
];

/** Reads the stack with an overlay. Without the settings of its stack, nobody knows which configuration is missing. */
function readOverlay(names: readonly string[], choice: StackChoice & { readonly overlay: string }): StackHere {
  const { overlay } = choice;
  const isHere = stacksHere().includes(overlay) && yamlErrorsHere([stackFile(overlay)]).findings.length === 0;
  const reading = readStackHere(names, { ...choice, stack: isHere ? overlay : undefined });
  const findings = isHere ? reading.findings : reading.findings.filter(({ code }) => code !== 'config-required');
  return { ...reading, findings };
}

const identityOf = ({ at, code, message }: Finding): string =>
  JSON.stringify([at.file, at.start.offset, code, message]);
