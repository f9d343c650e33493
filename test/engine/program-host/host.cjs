// The language host behind `runtime: program`: registers what program.json of the project's folder lists, through the built package.
// It must not know any kind, nor what a test expects of it.
const { declareResource } = require('../../../dist/sdk');
const { serveProgram } = require('./serve.cjs');

/** Resource objects in place of `{ "resource": "Platform::web" }`, at any depth. */
function withResources(value, resources) {
  if (Array.isArray(value)) return value.map((item) => withResources(item, resources));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.resource === 'string') {
    const found = resources.get(value.resource);
    if (found === undefined) throw new Error(`the program names ${value.resource} before it lists it`);
    return found;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withResources(item, resources)]));
}

/** Functions in place of `transforms: [{ "props": { … }, "opts": { … } }]`: each lays these over what is registered. */
function withTransforms({ transforms, ...options }) {
  if (transforms === undefined) return options;
  const functions = transforms.map((over) => (args) => ({
    props: { ...args.props, ...over.props },
    opts: { ...args.opts, ...over.opts },
  }));
  return { ...options, transforms: functions };
}

serveProgram((declared) => {
  const resources = new Map();
  for (const { token, name, args, options = {} } of declared) {
    const settled = withTransforms(withResources(options, resources));
    const made = declareResource(token, name, withResources(args, resources), settled);
    resources.set(`${token}::${name}`, made);
  }
});
