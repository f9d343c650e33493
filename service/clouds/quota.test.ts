// Quotas of a cloud's compute service, through the API: a plan beyond them is refused with its code, one within them is not.
import { DIALECTS, type Record as WireRecord } from '../../api/contract';
import { shopOf } from '../../test/shop';

interface Branch {
  readonly name: string;
  readonly metrics: { readonly count: number; readonly cores: number };
  readonly children: readonly Branch[];
}
interface Report {
  readonly data: Branch;
}

/** Every attribute a service of this class must have. */
const OPENSTACK = { endpoint: 'http://nova', tenant: 'acme', username: 'acme', password: 'secret' };
const ZONE = { key: 'k', secret: 's', zone: 'acme.io', cloud_dns_id: 'north' };

test.each(DIALECTS)('%s: a commit beyond a quota fails with 6021, one within it deploys', async (dialect) => {
  const shop = shopOf(dialect);
  const CLOUD = '/acme/clouds/north';
  await shop.ok(
    shop.send('POST', '/acme/clouds', {
      cms_ci: { ciName: 'north', ciAttributes: { location: '/public/oneops/clouds/openstack' } },
    }),
  );
  const available = await shop.ok<{ [type: string]: WireRecord[] }>(
    shop.send('GET', `${CLOUD}/services/available.json`),
  );
  const add = async (type: string, tail: string, values: object): Promise<WireRecord> => {
    const template = available[type]!.find(({ ciClassName }) => ciClassName.endsWith(`.${tail}`))!;
    const record = {
      ciName: template.ciName,
      ciClassName: template.ciClassName,
      ciAttributes: { ...template.ciAttributes, ...values },
    };
    const body = dialect === 'classic' ? { cms_ci: record, mgmtCiId: template.ciId } : record;
    return shop.ok(shop.send('POST', `${CLOUD}/services/`, body));
  };
  const { ciName } = await add('compute', 'Openstack', { ...OPENSTACK, max_instances: '1' });
  await add('dns', 'Route53', ZONE);
  await shop.assembly();
  await shop.platform('web');
  await shop.commitDesign();
  const environment = (name: string) => shop.ok(shop.createEnvironment(name, { north: '1' }));
  await environment('dev');
  expect(await shop.deploy('dev')).toBe('complete');
  const report = await shop.ok<Report>(shop.send('GET', '/acme/reports/compute.json?grouping=cloud'));
  const [used, free] = report.data.children.find(({ name }) => name === ciName)!.children;
  expect([used?.metrics.count, free?.metrics.count, free?.metrics.cores]).toEqual([1, 0, 0]);
  await environment('prod');
  expect(await shop.deploy('prod')).toMatch(/^ERROR:BOM: cloud north allows 1 machines, .* 2 there \(6021\)$/);
  expect(await shop.deploy('dev')).toBe('nothing');
  await shop.ok(shop.send('PUT', `${CLOUD}/services/${ciName}`, { cms_ci: { ciAttributes: { max_instances: '5' } } }));
  const wider = await shop.ok<Report>(shop.send('GET', '/acme/reports/compute.json?grouping=cloud'));
  expect(wider.data.children.find(({ name }) => name === ciName)?.children[1]?.metrics.count).toBe(4);
  expect(await shop.deploy('prod')).toBe('complete');
  expect(shop.bugs).toEqual([]);
  shop.close();
});
