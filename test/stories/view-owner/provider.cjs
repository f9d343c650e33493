// A resource plugin whose Owner has a view `one` below it, and finds another one, `two`, when it is read. An Other publishes no views.
const { credentials, Server, ServerCredentials } = require('@grpc/grpc-js');
const { PluginInfo } = require('@pulumi/pulumi/proto/plugin_pb');
const { ResourceProviderService } = require('@pulumi/pulumi/proto/provider_grpc_pb');
const messages = require('@pulumi/pulumi/proto/provider_pb');
const { ResourceStatusClient } = require('@pulumi/pulumi/proto/resource_status_grpc_pb');
const { PublishViewStepsRequest, ViewStep, ViewStepState } = require('@pulumi/pulumi/proto/resource_status_pb');
const { Empty } = require('google-protobuf/google/protobuf/empty_pb');

const TYPE = 'views:index:View';
const SCHEMA = { name: 'views', version: '0.1.0', resources: { 'views:index:Owner': {}, 'views:index:Other': {} } };

function stateOf(name) {
  const state = new ViewStepState();
  state.setType(TYPE);
  state.setName(name);
  return state;
}

/** What happened to a view: it exists now, it is as it was, or it no longer exists. */
function stepOf(name, was, is) {
  const step = new ViewStep();
  step.setOp(was ? (is ? ViewStep.Op.SAME : ViewStep.Op.DELETE) : ViewStep.Op.CREATE);
  step.setType(TYPE);
  step.setName(name);
  if (was) step.setOld(stateOf(name));
  if (is) step.setNew(stateOf(name));
  return step;
}

/** Tells the engine which views are below an owner now. */
function publish(request, views, old) {
  const names = [...new Set([...old, ...views])];
  if (!request.getUrn().includes(':Owner::') || names.length === 0) return undefined;
  const client = new ResourceStatusClient(request.getResourceStatusAddress(), credentials.createInsecure());
  const steps = new PublishViewStepsRequest();
  steps.setToken(request.getResourceStatusToken());
  steps.setStepsList(names.map((name) => stepOf(name, old.includes(name), views.includes(name))));
  return new Promise((resolve, reject) => {
    client.publishViewSteps(steps, (error) => {
      client.close();
      if (error) reject(error);
      else resolve();
    });
  });
}

const oldViews = (request) => request.getOldViewsList().map((view) => view.getName());

/** A message with some of its fields set: `made(messages.CreateResponse, { Id: 'id' })`. */
function made(Message, fields) {
  const message = new Message();
  for (const [name, value] of Object.entries(fields)) message[`set${name}`](value);
  return message;
}

const verbs = {
  handshake: () => made(messages.ProviderHandshakeResponse, { AcceptSecrets: true }),
  getPluginInfo: () => made(PluginInfo, { Version: '0.1.0' }),
  getSchema: () => made(messages.GetSchemaResponse, { Schema: JSON.stringify(SCHEMA) }),
  checkConfig: (request) => made(messages.CheckResponse, { Inputs: request.getNews() }),
  diffConfig: () => made(messages.DiffResponse, { Changes: messages.DiffResponse.DiffChanges.DIFF_NONE }),
  configure: () => made(messages.ConfigureResponse, { Acceptsecrets: true }),
  check: (request) => made(messages.CheckResponse, { Inputs: request.getNews() }),
  diff: () => made(messages.DiffResponse, { Changes: messages.DiffResponse.DiffChanges.DIFF_NONE }),
  async create(request) {
    await publish(request, ['one'], []);
    return made(messages.CreateResponse, { Id: request.getName(), Properties: request.getProperties() });
  },
  async read(request) {
    await publish(request, ['one', 'two'], oldViews(request));
    return made(messages.ReadResponse, {
      Id: request.getId(),
      Properties: request.getProperties(),
      Inputs: request.getInputs(),
    });
  },
  async delete(request) {
    await publish(request, [], oldViews(request));
    return new Empty();
  },
  cancel: () => new Empty(),
};

const answering = (verb) => (call, answered) => {
  Promise.resolve(call.request)
    .then(verb)
    .then((answer) => answered(null, answer), answered);
};

const server = new Server();
server.addService(
  ResourceProviderService,
  Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, answering(verb)])),
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
