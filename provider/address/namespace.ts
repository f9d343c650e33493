// What the namespace and the name of a record say of its place (service-facts §2.1.7).

/**
 * The platform of a record of a design, a manifest or a bom, by its namespace: `web` of `/acme/shop/_design/web` and of `/acme/shop/prod/bom/web/1`;
 * empty outside of platforms.
 */
export function platformOf({ nsPath }: { readonly nsPath?: string | null | undefined }): string {
  const [, , , environment, stage, platform] = (nsPath ?? '').split('/');
  return (environment === '_design' ? stage : platform) ?? '';
}

/** The component of an instance, by its name: `compute` of `compute-1129-1`. */
export const componentOf = ({ ciName }: { readonly ciName: string }): string => ciName.replace(/-\d+-\d+$/, '');
