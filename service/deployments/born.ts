// What only a running instance has: addresses, identifiers, capacity (service-facts §2.2.11, §12.4 "bom only").
// It must not know deployments; the values follow from the instance alone, so that they are the same every time.
import type { Catalogue } from '../catalogue';
import type { StoredRecord, Values } from '../store';

/** Cores and memory in MB by size. */
const CAPACITY: { readonly [size: string]: readonly [cores: number, ram: number] } = {
  XS: [1, 1024],
  S: [1, 2048],
  M: [2, 4096],
  L: [4, 8192],
  XL: [8, 16384],
  XXL: [16, 32768],
  '3XL': [24, 49152],
  '4XL': [32, 65536],
};

/** The size's own capacity; a family's (`M-MEM`) is that of its size, an unknown one that of S. */
function capacityOf(size: string | null | undefined): readonly [cores: number, ram: number] {
  const [plain = ''] = (size ?? '').split('-');
  return (Object.hasOwn(CAPACITY, plain) ? CAPACITY[plain] : undefined) ?? [1, 2048];
}

/** Values of attributes that only a running instance of this class has. */
const running = (instance: StoredRecord, catalogue: Catalogue, facts: Values): Values => {
  const metadata = catalogue.classMetadata(instance.className);
  return Object.fromEntries(
    Object.entries(facts).filter(([attribute]) => metadata?.attributes[attribute]?.scope === 'bom'),
  );
};

/** What changes of these attributes when the size of a running instance does. */
export function resizedValues(instance: StoredRecord, catalogue: Catalogue): Values {
  const [cores, ram] = capacityOf(instance.values['size']);
  return running(instance, catalogue, { cores: String(cores), ram: String(ram) });
}

/** Attributes the infrastructure fills in once an instance runs; only those its class has. */
export function bornValues(instance: StoredRecord, catalogue: Catalogue): Values {
  const { id, name, namespace } = instance;
  const address = `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;
  const host = `${name}.${namespace.split('/').slice(1, 4).reverse().join('.')}`.toLowerCase();
  const facts: Values = {
    instance_name: host,
    instance_id: `i-${id.toString(16).padStart(8, '0')}`,
    host_id: `h-${(id % 97).toString(16).padStart(4, '0')}`,
    hypervisor: `hypervisor-${id % 7}`,
    availability_zone: `zone-${(id % 3) + 1}`,
    private_ip: address,
    public_ip: address,
    dns_record: address,
    private_dns: host,
    public_dns: host,
    hostname: host,
    vm_state: 'active',
    instance_state: 'ACTIVE',
    group_id: `sg-${id.toString(16)}`,
    group_name: host,
  };
  return { ...running(instance, catalogue, facts), ...resizedValues(instance, catalogue) };
}
