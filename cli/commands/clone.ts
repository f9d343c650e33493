// `pulumi-oneops clone`: copies an assembly under another name.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { nearest } from '../../provider';
import { calling } from '../calling';
import { parseWords, UsageError, type Command } from '../command';
import { checkCopyName, isTaken, makeCopy, openReleaseOf } from '../copy';
import { expectPlace, placeIn, addressText } from '../place';
import { SETTINGS_HELP, SETTINGS_OPTIONS } from '../settings';

const HELP = `usage: pulumi-oneops clone ADDRESS NAME [options]

Copies an assembly: its platforms, components, attachments, variables and links, including uncommitted changes. Environments are not copied.

  ADDRESS               acme/shop: the assembly shop of organization acme
  NAME                  name of the copy
  --to ORGANIZATION     organization that the copy goes to; default: that of the assembly
  --description TEXT    what the copy is; default: Created from shop
  --json                the copy as JSON

${SETTINGS_HELP}

exit codes: 0 copied, 1 wrong use, no such assembly, or a name that is taken, 3 the service did not copy it,
4 the token is missing, unknown or refused, 5 refused because the settings allow only reads`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  to: { type: 'string' },
  description: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** The clone command. */
export const cloneCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [word, name, ...more] = positionals;
    if (word === undefined || name === undefined || more.length > 0)
      throw new UsageError('clone needs an address and a name: clone acme/shop shop-copy');
    checkCopyName(name, 'assembly');
    return calling(values, async (api, organization) => {
      const place = placeIn(word, organization, 'assembly');
      await expectPlace(api, place);
      const to = values.to === organization ? undefined : values.to;
      if (to !== undefined) await expectOrganization(api, to);
      const there = await api.call(routes.assemblies.list, to === undefined ? {} : { address: { organization: to } });
      if (isTaken(there, name))
        throw new UsageError(`organization "${to ?? organization}" has an assembly "${name}" already`);
      const open = await openReleaseOf(api, place.assembly);
      if (open !== undefined) process.stderr.write(`uncommitted changes of release ${open} are copied, too\n`);
      const { assembly } = place;
      const wanted = { assembly, name, description: values.description, organization: to, isSaved: false };
      return async () => {
        const copy = await makeCopy(api, wanted);
        const address = addressText(to ?? organization, { assembly: copy.ciName });
        if (values.json) process.stdout.write(`${JSON.stringify({ address, ciId: copy.ciId }, undefined, 2)}\n`);
        else process.stdout.write(`copied ${addressText(organization, place)} to ${address}\n${NEXT(address)}`);
      };
    });
  },
};

/** What the user can do next. */
const NEXT = (address: string): string =>
  `next: pulumi-oneops import-file ${address} --below writes the file with which a stack takes it over\n`;

/** Throws an Error with the nearest name if the user has no such organization. */
async function expectOrganization(api: Api, name: string): Promise<void> {
  const names = (await api.call(routes.organizations.list, {})).map((each) => each.name);
  if (names.includes(name)) return;
  const near = nearest(name, names);
  throw new UsageError(
    `you have no organization called "${name}": ${near === undefined ? `known are ${names.join(', ')}` : `did you mean "${near}"?`}`,
  );
}
