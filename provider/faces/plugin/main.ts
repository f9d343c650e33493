// `pulumi-resource-oneops <engine address>`: the resource plugin, which the engine starts.
import { serve } from './serve';

serve(process.argv.slice(2).find((word) => !word.startsWith('-')));
