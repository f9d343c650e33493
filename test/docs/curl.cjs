// Stands in for curl where a machine has none: the options the pages use, and nothing else.
const { readFileSync } = require('node:fs');

const OPTIONS = {
  '-s': () => undefined,
  '-X': (request, value) => (request.method = value),
  '-u': (request, value) => (request.headers.authorization = `Basic ${Buffer.from(value).toString('base64')}`),
  '-H': (request, value) => {
    const colon = value.indexOf(':');
    request.headers[value.slice(0, colon).toLowerCase()] = value.slice(colon + 1).trim();
  },
  '-d': (request, value) => (request.body = value === '@-' ? readFileSync(0, 'utf8').replace(/[\r\n]/g, '') : value),
};
OPTIONS['--data'] = OPTIONS['-d'];

function read(words) {
  const request = { url: undefined, method: undefined, headers: {}, body: undefined };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const option = OPTIONS[word];
    if (option === undefined && word.startsWith('-')) throw new Error(`this stand-in for curl does not know ${word}`);
    if (option === undefined) request.url = word;
    else if (option.length === 0) option();
    else option(request, words[(at += 1)]);
  }
  if (request.url === undefined) throw new Error('no URL specified');
  return request;
}

async function main() {
  const { url, method, headers, body } = read(process.argv.slice(2));
  const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { accept: '*/*', ...form, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  process.stdout.write(await answer.text());
}

main().catch((error) => {
  process.stderr.write(`curl: ${error.message}\n`);
  process.exitCode = 7;
});
