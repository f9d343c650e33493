// `pulumi-oneops instances`: what runs in an environment, with addresses and health.
import type { Instance } from '../../../api/contract';
import { instancesAt } from '../../../provider/kinds';
import { commandOf } from '../../command';
import { flag, JSON_OPTION, SETTINGS_OPTIONS } from '../../options';
import { addressOf, anyPlace, operate, type Operation } from './place';
import type { ShownInstance } from './outputs';
import { moment, table } from '../../here/terminal';

/** The instances of a place, by platform and name. */
export async function instancesOf({ api, place }: Pick<Operation, 'api' | 'place'>): Promise<readonly ShownInstance[]> {
  const found = await instancesAt({ api, at: addressOf(place) });
  const key = ({ environment, platform, name }: ShownInstance): string => `${environment}/${platform}/${name}`;
  return found.map(shown).sort((left, right) => key(left).localeCompare(key(right), 'en', { numeric: true }));
}

/** Namespace `/<organization>/<assembly>/<environment>/bom/<platform>/<version>`. */
function shown(instance: Instance): ShownInstance {
  const [, , , environment = '', , platform = ''] = instance.nsPath.split('/');
  return {
    environment,
    platform,
    name: instance.ciName,
    ciId: instance.ciId,
    cloud: instance.deployedTo?.ciName ?? '',
    privateAddress: instance.ciAttributes['private_ip'] ?? '',
    publicAddress: instance.ciAttributes['public_ip'] ?? '',
    state: instance.ciState ?? 'default',
    health: instance.opsState ?? '',
    className: instance.ciClassName,
    created: instance.created ?? 0,
    createdBy: instance.createdBy ?? '',
    updatedBy: instance.updatedBy ?? instance.createdBy ?? '',
  };
}

export const command = commandOf({
  usage: ['instances [ENVIRONMENT[/PLATFORM[/COMPONENT]]] [options]'],
  about: `Lists what runs: name, cloud, addresses, state and health. Only reads. An environment of the stack in
this folder, or an address: acme/shop/prod/web.`,
  options: {
    addresses: flag('one address per line: the public one, or else the private one'),
    wide: flag('also number, class, when it was created and by whom'),
    ...JSON_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: { done: 'listed, also if nothing runs' },
  most: 1,
  async run({ values, positionals }) {
    return operate(positionals[0], values, anyPlace, async (operation) => {
      const all = await instancesOf(operation);
      const addresses = all.map(({ publicAddress, privateAddress }) => publicAddress || privateAddress);
      if (values.addresses) {
        operation.print(addresses.filter(Boolean), (shown) => shown.map((each) => `${each}\n`).join(''));
        if (!values.json && !addresses.some(Boolean)) process.stderr.write('no machine with an address runs here\n');
      } else operation.print(all, (shown) => (shown.length === 0 ? 'nothing runs\n' : listText(shown, values.wide)));
    });
  },
});

function listText(all: readonly ShownInstance[], wide: boolean): string {
  const isOne = new Set(all.map(({ environment }) => environment)).size === 1;
  const head = ['INSTANCE', 'CLOUD', 'PRIVATE', 'PUBLIC', 'STATE', 'HEALTH'];
  if (wide) head.push('NUMBER', 'CLASS', 'CREATED', 'BY');
  const rows = all.map((each) => [
    [...(isOne ? [] : [each.environment]), each.platform, each.name].join('/'),
    each.cloud,
    each.privateAddress,
    each.publicAddress,
    each.state === 'default' ? '' : each.state,
    each.health,
    ...(wide ? [String(each.ciId), each.className, moment(each.created), each.createdBy] : []),
  ]);
  return table(head, rows);
}
