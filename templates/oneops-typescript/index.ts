import * as pulumi from '@pulumi/pulumi';
import * as oneops from 'pulumi-oneops';

const owner = new pulumi.Config().require('owner');

const shop = new oneops.Assembly(pulumi.getProject(), { owner });
const web = new oneops.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcat', version: '1' });
new oneops.Component('web/compute', { platform: web, name: 'compute', type: 'compute', attributes: { size: 'M' } });
const dev = new oneops.Environment('dev', { assembly: shop, clouds: { east: { priority: 1 } } });
export const deployment = new oneops.Deployment('dev', { environment: dev, comment: 'first roll-out' }).deploymentId;
