// The generated list of packs and templates that the contract ships: what can be known of a pack without a service.
// It must not know who reads the list.
import { classMetadata, registeredClass, templateText } from '../../api/contract';
import { templates, type Pack } from '../../service';

/** The text of `packs.json`: one line for each template, so that changes are easy to review. */
export function packsData(packs: readonly Pack[]): string {
  return `[\n${packs.map(packText).join(',\n')}\n]\n`;
}

function packText(pack: Pack): string {
  const design = new Set(templates(pack, 'design'));
  const lines = pack.templates.map((template) => {
    const scaled = pack.edges.redundant.some(({ to, flex }) => flex && to === template.name);
    const text = templateText({ ...template, design: design.has(template), scaled, needs: needsOf(template) });
    return `      ${JSON.stringify(template.name)}: ${JSON.stringify(text)}`;
  });
  const facts = (['source', 'name', 'version', 'description'] as const).map(
    (name) => `    ${JSON.stringify(name)}: ${JSON.stringify(pack[name])}`,
  );
  return `  {\n${facts.join(',\n')},\n    "templates": {\n${lines.join(',\n')}\n    }\n  }`;
}

/** The attributes that nothing gives a value. */
function needsOf({ class: className, defaults }: Pack['templates'][number]): readonly string[] {
  const { attributes = {} } = classMetadata(registeredClass('catalog', className)) ?? {};
  return Object.entries(attributes)
    .filter(([name, each]) => each.required && each.default.trim() === '' && !defaults[name])
    .map(([name]) => name);
}
