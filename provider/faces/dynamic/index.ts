// `pulumi-oneops/dynamic`: what the constant provider texts in state load, one provider per kind under its token. Tokens never change.
// It knows no program, no file and no engine.
import { kinds } from '../../kinds';
import { face, type Face } from './face';
import { host } from './host';

/** Provider of each kind, by token. */
const providers: { readonly [token: string]: Face } = Object.fromEntries(kinds.map((of) => [of.token, face(of, host)]));

export = providers;
