// `pulumi-oneops-policy <engine address>`: the policy pack, which the Pulumi engine starts for `--policy-pack`.
// It knows nothing of what is served.
import { servePack } from './serve';

servePack();
