/** The page of a row's tenant, for a list whose rows are of something else. */
export function tenantPage(_id: unknown, _resource: string, record: { tenantId?: string | null }) {
  return record.tenantId == null ? false : `/tenants/${record.tenantId}/show`;
}
