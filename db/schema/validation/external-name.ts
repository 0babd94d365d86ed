/** The name under which a body may give the external id of a record instead of its id. */
export function externalName(reference: string): string {
  return reference.replace(/_id(s?)$/, '_external_id$1');
}
