// A program as Pulumi's pages on dynamic providers show it: a provider per kind, with axios, one request for each call of the engine.
const { createHash } = require('node:crypto');
const axios = require('axios');
const pulumi = require('@pulumi/pulumi');
const { serveProgram } = require('../../../world/engine/program-host/serve.cjs');
const { attributesOf, bodyOf, collectionOf } = require('./wire.cjs');

const clientOf = (config) =>
  axios.create({
    baseURL: `${config.require('oneops:url')}/${config.require('oneops:organization')}`,
    auth: { username: config.require('oneops:token'), password: '' },
    headers: { Accept: 'application/json' },
  });

const records = {
  async configure({ config }) {
    this.client = clientOf(config);
  },
  async diff(_id, olds, news) {
    return { changes: JSON.stringify(olds.attributes) !== JSON.stringify(news.attributes) };
  },
  async create(inputs) {
    const { data } = await this.client.post(collectionOf(inputs), bodyOf(inputs));
    return { id: `${collectionOf(inputs)}/${data.ciName}`, outs: { ...inputs, ciId: data.ciId } };
  },
  async read(id, props) {
    const { data } = await this.client.get(id);
    const attributes = {};
    for (const name of Object.keys(props.attributes)) attributes[name] = data.ciAttributes[name];
    return { id, props: { ...props, attributes, ciId: data.ciId } };
  },
  async update(id, olds, news) {
    await this.client.put(id, bodyOf(news));
    return { outs: { ...news, ciId: olds.ciId } };
  },
  async delete(id) {
    await this.client.delete(id);
  },
};

const releases = {
  async configure({ config }) {
    this.client = clientOf(config);
  },
  async diff(_id, olds, news) {
    return { changes: olds.digest !== news.digest };
  },
  async commit({ assembly }) {
    const path = `assemblies/${assembly}/design/releases`;
    const { data } = await this.client.get(`${path}/latest`);
    if (data.releaseState === 'open') await this.client.post(`${path}/${data.releaseId}/commit`, {});
    return data.releaseId;
  },
  async create(inputs) {
    return { id: `${inputs.assembly}/release`, outs: { ...inputs, releaseId: await this.commit(inputs) } };
  },
  async read(id, props) {
    await this.client.get(`assemblies/${props.assembly}/design/releases/latest`);
    return { id, props };
  },
  async update(_id, _olds, news) {
    return { outs: { ...news, releaseId: await this.commit(news) } };
  },
  async delete() {},
};

class ApiRecord extends pulumi.dynamic.Resource {
  constructor(name, props, opts) {
    super(records, name, { ciId: undefined, ...props }, opts, 'plain', props.kind);
  }
}

class Release extends pulumi.dynamic.Resource {
  constructor(name, props, opts) {
    super(releases, name, { releaseId: undefined, ...props }, opts, 'plain', 'Release');
  }
}

/** Where what is in a record is. */
const placeIn = (parent) => {
  if (parent === undefined) return {};
  const { assembly, platform, name } = parent.resource;
  if (parent.kind === 'Assembly') return { assembly: name };
  return parent.kind === 'Platform' ? { assembly, platform: name } : { assembly, platform, component: name };
};

serveProgram((declared) => {
  const made = new Map();
  const release = ({ name }) => {
    const mine = declared.filter((other) => other.token !== 'DesignRelease' && other.name.split('/')[0] === name);
    const digest = createHash('sha256').update(JSON.stringify(mine)).digest('hex');
    const dependsOn = mine.map((other) => made.get(`${other.token}::${other.name}`).resource);
    return new Release(name, { assembly: made.get(`Assembly::${name}`).resource.name, digest }, { dependsOn });
  };
  for (const declaration of declared) {
    const { token: kind, name, args } = declaration;
    if (kind === 'DesignRelease') {
      release(declaration);
      continue;
    }
    const [parent] = ['component', 'platform', 'assembly'].flatMap((place) => made.get(args[place]?.resource) ?? []);
    const template = kind === 'Component' ? { template: args.type } : {};
    const props = { kind, ...placeIn(parent), ...template, name: args.name, attributes: attributesOf(declaration) };
    made.set(`${kind}::${name}`, { kind, resource: new ApiRecord(name, props) });
  }
});
