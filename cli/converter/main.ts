// `pulumi-converter-oneops`, and the same under the name `boo`: the plugin behind `--from` of `pulumi import` and `pulumi convert`.
import { serveConverter } from './serve';

serveConverter(/-boo\b/.test(process.argv[1] ?? '') ? 'boo' : 'oneops');
