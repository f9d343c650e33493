// What can be done about a finding: a command of ours, one of Pulumi's, or what to edit.
// Whether it can be carried out is for the command to find out.
import type { Advice, Classification, FilePlace } from './review';

/** What advice on a finding depends on. */
interface AdvisedFinding {
  readonly id: string;
  /** `Component:acme/shop/web/tomcat`, as `import-file` takes it. */
  readonly subject: string;
  readonly isAttribute: boolean;
  /** The attribute is a secret. */
  readonly isSecret?: boolean;
  /** The live value is a secret, or not known: it cannot be written into a file. */
  readonly isHidden: boolean;
  /** What restores it, if no command does. */
  readonly byHand?: string | undefined;
  readonly at?: FilePlace | undefined;
  /** A record that nobody declares and that no command of ours deletes. */
  readonly isKept?: boolean;
}

/** A sentence, and the command in it where there is one. */
interface Step {
  readonly text: string;
  readonly command?: string;
}

/** What can be done about a finding; where no command of ours does it, Pulumi's is named, or what to edit. */
export function adviceOn(classification: Classification, finding: AdvisedFinding): Advice {
  const { id, subject, isAttribute, isSecret, isHidden, byHand, at, isKept } = finding;
  const place = at ? ` at ${at.file}:${at.line}` : '';
  const isProgram = at !== undefined && !/\.ya?ml$/i.test(at.file);
  const revert = step(`pulumi-oneops drift revert ${id}`);
  const accept = step(`pulumi-oneops drift accept ${id}`);
  const written = isProgram ? { text: `write it into the program${place}` } : accept;
  switch (classification) {
    case 'changed':
    case 'changed-by-own-user':
    case 'normalised':
      return advice({ revert, ...(isHidden ? {} : { accept: written }) });
    case 'conflict':
      return advice({
        revert: step('pulumi up --refresh', `: what the file says${place} wins`),
        ...(isHidden ? {} : { accept: written }),
      });
    case 'deleted': {
      const text = `take it out of the program${place}, and run pulumi up --refresh`;
      return advice({ revert, accept: isProgram ? { text } : accept });
    }
    case 'unexpected':
      return advice({ revert, ...(isHidden ? {} : { accept: written }) });
    case 'undeployed':
      if (byHand !== undefined) return advice({ revert: { text: byHand } });
      return advice({ revert: step('pulumi up --refresh', ' restores what is declared, and deploys it') });
    case 'undeclared': {
      const command = `pulumi-oneops import-file ${subject}`;
      return advice({
        ...(isKept ? {} : { revert: step(`pulumi-oneops drift revert ${id}`, ' deletes it') }),
        accept: { text: `declare it, and import it: ${command}`, command },
      });
    }
    case 'touched':
      if (isSecret) return advice({ revert: step('pulumi up --refresh', ' writes the declared value again') });
      return {
        accept: isAttribute
          ? 'nothing that is declared is missing: ask the user who deployed; it is reported until the stack deploys again'
          : 'no declared value differs: ask the user who wrote it; it is reported until the stack writes the record again',
      };
    case 'pending':
      return advice({ accept: step('pulumi up', ' applies it') });
    case 'healed':
      return advice({ accept: step('pulumi up --refresh', ' records it in the state, and deploys it') });
  }
}

/** A command, and what is said of it. */
const step = (command: string, said = ''): Step => ({ text: `${command}${said}`, command });

function advice({ revert, accept }: { readonly revert?: Step; readonly accept?: Step }): Advice {
  return {
    ...(revert ? { revert: revert.text } : {}),
    ...(accept ? { accept: accept.text } : {}),
    commands: {
      ...(revert?.command === undefined ? {} : { revert: revert.command }),
      ...(accept?.command === undefined ? {} : { accept: accept.command }),
    },
  };
}
