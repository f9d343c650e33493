// The records of a resource type, as the protocol streams them: for `pulumi do … list`.
// It knows no kind.
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import * as provider from '@pulumi/pulumi/proto/provider_pb';
import { UNKNOWN } from '../../values/unknown';
import type { Contents } from './contents';
import { bareName, notOffered } from './failures';
import { received } from './properties';

/** Sends the records of a type, one message each. The complete list is one page. */
export async function sendList(
  contents: () => Promise<Contents>,
  call: ServerWritableStream<provider.ListRequest, provider.ListResponse>,
): Promise<void> {
  const { request } = call;
  const { values } = received(request.getQuery());
  if (Object.values(values).includes(UNKNOWN)) {
    const answer = new provider.ListResponse();
    answer.setComputed(new provider.ListResponse.Computed());
    call.write(answer);
    return;
  }
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  const found = (await contents()).list(
    bareName(request.getToken()),
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  );
  if (found === undefined) throw notOffered('list of', request.getToken(), status.UNIMPLEMENTED);
  let left = request.getLimit() || Infinity;
  for await (const { id, name } of found) {
    const result = new provider.ListResponse.Result();
    result.setId(id);
    result.setName(name);
    const answer = new provider.ListResponse();
    answer.setResult(result);
    call.write(answer);
    left -= 1;
    if (left <= 0 || call.cancelled) return;
  }
}
