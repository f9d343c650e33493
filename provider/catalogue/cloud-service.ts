// What the packaged catalogue knows of a service of a cloud: the attributes of the class that its template makes.
// It must not know how findings are shown.
import { classMetadata, registeredClass, type Diagnostic } from '../../api/contract';
import { isPlainObject } from '../values/plain-object';
import { judgeAttributes } from './attributes';
import { knownText } from './judge';

/** The class that each packaged template of a service makes; a test compares it with the packaged locations. */
export const SERVICE_CLASSES: { readonly [template: string]: string } = {
  'azure-eastus': 'Azure',
  'azure-westus': 'Azure',
  designate: 'Designate',
  docker: 'Docker',
  ebs: 'Ebs',
  elb: 'Elb',
  'mirrors-public': 'Mirror',
  neutron: 'Neutron',
  nexus: 'Nexus',
  nova: 'Openstack',
  'ntp-public': 'Ntp',
  'rackspace-dfw': 'Rackspace',
  route53: 'Route53',
  'route53-gdns': 'Route53',
  s3: 'S3',
  swift: 'Swift',
  'us-east-1': 'Ec2',
  'us-east-2': 'Ec2',
  'us-west-1': 'Ec2',
  'us-west-2': 'Ec2',
  vagrant: 'Vagrant',
  vsphere: 'Vsphere',
};

/** Findings about a service, each at `attributes.NAME`; none where the catalogue does not contain its template, which is its name. */
export function judgeCloudService({ name, attributes }: { readonly [name: string]: unknown }): Diagnostic[] {
  const className = new Map(Object.entries(SERVICE_CLASSES)).get(knownText(name) ?? '');
  const metadata = className === undefined ? undefined : classMetadata(registeredClass('cloud.service', className));
  if (metadata === undefined || !isPlainObject(attributes)) return [];
  return judgeAttributes(metadata, attributes).map((finding) => ({
    ...finding,
    path: ['attributes', ...finding.path],
  }));
}
