// `pulumi-resource-oneops <engine address>`: the resource plugin, which the Pulumi engine starts.
// It knows nothing of what is served.
import { serve } from './serve';

serve(process.argv.slice(2).find((word) => !word.startsWith('-')));
