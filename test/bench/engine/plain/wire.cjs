// What a person who reads the API's pages sends: paths and bodies of the five kinds of design records.

/** Path of the list a record is in, below the organization. */
const collectionOf = ({ kind, assembly, platform, component }) => {
  const design = `assemblies/${assembly}/design`;
  const inside = `${design}/platforms/${platform}`;
  if (kind === 'Assembly') return 'assemblies';
  if (kind === 'Platform') return `${design}/platforms`;
  if (kind === 'Variable') return platform === undefined ? `${design}/variables` : `${inside}/variables`;
  return kind === 'Component' ? `${inside}/components` : `${inside}/components/${component}/attachments`;
};

/** Body of a POST or PUT. */
const bodyOf = ({ kind, name, template, attributes }) => ({
  [kind === 'Assembly' ? 'cms_ci' : 'cms_dj_ci']: { ciName: name, ciAttributes: attributes },
  ...(template === undefined ? {} : { template_name: template }),
});

const ADDRESS = ['assembly', 'platform', 'component', 'name', 'type'];

/** The attributes a program's resource declares, as the API writes them. */
const attributesOf = ({ token, args }) => {
  const own = Object.entries(args).filter(([name]) => !ADDRESS.includes(name));
  const pairs = token === 'Component' ? Object.entries(args.attributes) : own;
  return Object.fromEntries(
    pairs.map(([name, value]) => (name === 'runsOn' ? ['run_on', value.join(',')] : [name, String(value)])),
  );
};

module.exports = { attributesOf, bodyOf, collectionOf };
