// `pulumi-oneops save`: saves the committed design of an assembly to the catalogue of its organization.
import { routes } from '../../api/contract';
import { calling } from '../calling';
import { parseWords, UsageError, type Command } from '../command';
import { checkCopyName, isCommitted, isTaken, makeCopy, openReleaseOf } from '../copy';
import { expectPlace, placeIn, addressText } from '../place';
import { SETTINGS_HELP, SETTINGS_OPTIONS } from '../settings';

const HELP = `usage: pulumi-oneops save ADDRESS [NAME] [options]

Saves the committed design of an assembly to the catalogue of its organization, so that new assemblies can be made from it. Uncommitted
changes, variables of the assembly, and environments are not saved.

  ADDRESS               acme/shop: the assembly shop of organization acme
  NAME                  name of the saved design; default: that of the assembly
  --description TEXT    what the design is; default: Created from shop
  --json                the saved design as JSON

${SETTINGS_HELP}

exit codes: 0 saved, 1 wrong use, no such assembly, nothing committed, or a name that is taken, 3 the service did not save it,
4 the token is missing, unknown or refused, 5 refused because the settings allow only reads`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  description: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** The save command. */
export const saveCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [word, given, ...more] = positionals;
    if (word === undefined || more.length > 0) throw new UsageError('save needs an address: save acme/shop');
    if (given !== undefined) checkCopyName(given, 'design');
    return calling(values, async (api, organization) => {
      const place = placeIn(word, organization, 'assembly');
      const { assembly } = place;
      const name = given ?? assembly;
      await expectPlace(api, place);
      if (!(await isCommitted(api, assembly)))
        throw new UsageError(`assembly "${assembly}" has no committed design to save`);
      if (isTaken(await api.call(routes.designs.list, {}), name))
        throw new UsageError(`the catalogue of organization "${organization}" has a design "${name}" already`);
      const open = await openReleaseOf(api, assembly);
      if (open !== undefined) process.stderr.write(`uncommitted changes of release ${open} are not saved\n`);
      const variables = await api.call(routes.designVariables.list, { address: { assembly } });
      if (variables.length > 0)
        process.stderr.write(
          `not saved: ${variables
            .map(({ ciName }) => `$${ciName}`)
            .sort()
            .join(', ')}\n`,
        );
      return async () => {
        const saved = await makeCopy(api, { assembly, name, description: values.description, isSaved: true });
        if (values.json)
          process.stdout.write(`${JSON.stringify({ name: saved.ciName, ciId: saved.ciId }, undefined, 2)}\n`);
        else process.stdout.write(`saved the design of ${addressText(organization, place)} as ${saved.ciName}\n`);
      };
    });
  },
};
