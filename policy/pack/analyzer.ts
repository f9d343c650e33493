// The analyzer protocol: the engine hands over each resource before its step, and gets what breaks
// the policies of a file. No message contains a value of the stack's configuration, which the
// engine hands over in clear.
import { resolve } from 'node:path';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import {
  AnalyzeDiagnostic,
  AnalyzerHandshakeResponse,
  AnalyzeResponse,
  AnalyzerInfo,
  AnalyzerStackConfigureResponse,
  EnforcementLevel,
  PolicyInfo,
  PolicyType,
  Remediation,
  RemediateResponse,
  type AnalyzerStackConfigureRequest,
  type AnalyzeRequest,
} from '@pulumi/pulumi/proto/analyzer_pb';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { jsonOf } from '../../drift';
import { kindToken } from '../../provider';
import { answering } from '../../provider/faces/served';
import { masked, textsIn } from '../../provider/secrets';
import {
  readTextFile,
  loadStack,
  namedCatalogue,
  ownConfig,
  projectIn,
  readYaml,
  sourceFile,
  type Project,
  type StackPlan,
} from '../../stack';
import { recordOfResource, judgeRecords, type PolicyViolation, POLICY_FILE, findingAt } from '../judge';
import { readPolicies, type PolicyEntry, type PolicyLevel } from '../policy-file';
import { defined } from '../../provider/values';

const PACK = 'oneops';

/** What a pack runs in. */
interface Host {
  readonly version: string;
  /** Folder of the project, which the policy file is in. */
  readonly directory: string;
  readonly environment: { readonly [name: string]: string | undefined };
}

const LEVELS: { readonly [level in PolicyLevel]: EnforcementLevel } = {
  advisory: EnforcementLevel.ADVISORY,
  mandatory: EnforcementLevel.MANDATORY,
  remediate: EnforcementLevel.REMEDIATE,
  disabled: EnforcementLevel.DISABLED,
};

/** Handlers of the protocol. The policies are read once, when the engine asks for them first. */
export function analyzer({ version, directory, environment }: Host): UntypedServiceImplementation {
  let read: readonly PolicyEntry[] | undefined;
  let stack = '';
  let organization = '';
  let places: Places = () => undefined;
  let secrets: readonly string[] = [];

  const policies = (): readonly PolicyEntry[] => {
    if (read) return read;
    const name = environment['ONEOPS_POLICIES'] ?? POLICY_FILE;
    const content = readTextFile(resolve(directory, name));
    if ('problem' in content)
      throw new Error(`the policy file ${name} cannot be read: ${content.problem}; ONEOPS_POLICIES names another one`);
    return (read = readPolicies({ name, text: content.text }));
  };
  const judged = (request: AnalyzeRequest): readonly PolicyViolation[] => {
    const token = kindToken(request.getType());
    if (token === undefined) return [];
    const inputs = (request.getProperties()?.toJavaScript() ?? {}) as { readonly [name: string]: unknown };
    const isProtected = request.getOptions()?.getProtect() ?? false;
    const record = recordOfResource({ token, logicalName: request.getName(), inputs, isProtected }, organization);
    if (record === undefined) return [];
    const violations = judgeRecords(policies(), [record], { stack, now: new Date() });
    return violations.map((each) => ({ ...each, message: masked(each.message, secrets) }));
  };

  return {
    // The folders that the engine names are those of the pack.
    handshake: answering(() => new AnalyzerHandshakeResponse()),
    configureStack: answering((request: AnalyzerStackConfigureRequest) => {
      stack = request.getStack();
      const config = new Map(request.getConfigMap().toObject());
      organization = config.get('oneops:organization') ?? environment['ONEOPS_ORGANIZATION'] ?? 'organization';
      const keys = request.getConfigSecretKeysList();
      secrets = keys.flatMap((key) => secretTexts(config.get(key) ?? ''));
      places = placesOf(directory, { project: request.getProject(), stack, config, secrets: keys });
      return new AnalyzerStackConfigureResponse();
    }),
    getAnalyzerInfo: answering(() => {
      const info = new AnalyzerInfo().setName(PACK).setDisplayname('pulumi-oneops policies').setVersion(version);
      return info.setPoliciesList(policies().map(infoOf));
    }),
    getPluginInfo: answering(() => new PluginInfo().setVersion(version)),
    configure: answering(() => new Empty()),
    analyze: answering((request: AnalyzeRequest) => {
      const found = judged(request).map((each) => diagnosticOf(each, places(each), version, request.getUrn()));
      return new AnalyzeResponse().setDiagnosticsList(found);
    }),
    // Every rule judges one record: nothing is left for the whole stack.
    analyzeStack: answering(() => new AnalyzeResponse()),
    remediate: answering((request: AnalyzeRequest) =>
      new RemediateResponse().setRemediationsList(remediations(request, judged(request), version)),
    ),
    cancel: answering(() => new Empty()),
  };
}

/** A secret of the configuration, and each text in it: the engine gives a list or a map as JSON. */
const secretTexts = (text: string): readonly string[] => [text, ...textsIn(jsonOf(text))];

/** The arguments of a resource with every remedy of its violations. */
function remediations(request: AnalyzeRequest, violations: readonly PolicyViolation[], version: string): Remediation[] {
  const wanted = violations.filter(({ level }) => level === 'remediate');
  const given = request.getProperties()?.toJavaScript() ?? {};
  const remedied = Object.fromEntries([given, ...wanted.map(({ remedy }) => remedy ?? {})].flatMap(Object.entries));
  const properties = Struct.fromJavaScript(remedied);
  return wanted.map(({ policy, message }) =>
    new Remediation()
      .setPolicyname(policy)
      .setPolicypackname(PACK)
      .setPolicypackversion(version)
      .setDescription(message)
      .setProperties(properties),
  );
}

const infoOf = ({ name, rule, level }: PolicyEntry): PolicyInfo =>
  new PolicyInfo()
    .setName(name)
    .setDescription(rule.demands)
    .setEnforcementlevel(LEVELS[level])
    .setPolicyType(PolicyType.POLICY_TYPE_RESOURCE);

const diagnosticOf = (
  { policy, rule, level, message }: PolicyViolation,
  at: string | undefined,
  version: string,
  urn: string,
): AnalyzeDiagnostic =>
  new AnalyzeDiagnostic()
    .setPolicyname(policy)
    .setPolicypackname(PACK)
    .setPolicypackversion(version)
    .setDescription(rule)
    .setMessage(`${at === undefined ? '' : `${at}: `}${message}`)
    .setEnforcementlevel(LEVELS[level])
    .setUrn(urn);

/** The place of a violation: `oneops.yaml:14:5`; undefined where no file declares it. */
type Places = (violation: PolicyViolation) => string | undefined;

/** What the engine says of a run. The values of the configuration are in clear. */
interface Run {
  readonly project: string;
  readonly stack: string;
  readonly config: ReadonlyMap<string, string>;
  readonly secrets: readonly string[];
}

/** Places in the stack files of a project; none for a file that the run itself reports. */
function placesOf(directory: string, run: Run): Places {
  const project = projectOf(directory);
  const plan = project && planOf(directory, project, run);
  if (plan === undefined) return () => undefined;
  return (violation) => {
    const at = findingAt(plan, violation)?.at;
    return at === undefined ? undefined : `${at.file}:${at.start.line}:${at.start.column}`;
  };
}

function projectOf(directory: string): Project | undefined {
  const content = readTextFile(resolve(directory, 'Pulumi.yaml'));
  if ('problem' in content) return undefined;
  const { root } = readYaml(sourceFile('Pulumi.yaml', content.text));
  return root?.form === 'map' ? projectIn(root) : undefined;
}

function planOf(
  directory: string,
  { files, catalogue }: Project,
  { project, stack, config, secrets }: Run,
): StackPlan | undefined {
  if (files === undefined) return undefined;
  const own = ownConfig(Object.fromEntries(config), project, (key) => secrets.includes(key));
  const saved = namedCatalogue(catalogue, directory);
  const overlay = config.get('oneops:overlay');
  const loaded = loadStack({
    ...{ files, directory, project, stack, catalogue: 'off', config: own.config, secretConfig: own.secretConfig },
    ...('problem' in saved ? {} : saved),
    ...defined({ overlay }),
  });
  return 'plan' in loaded ? loaded.plan : undefined;
}
