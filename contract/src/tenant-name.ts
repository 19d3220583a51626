/** What a tenant record is called by: the firm that rents, or the person. */
export type TenantNames = { company: string | null; firstName: string; lastName: string };

/** The company, or the person as `Dana Reyes`. */
export function tenantName({ company, firstName, lastName }: TenantNames): string {
  return company ?? `${firstName} ${lastName}`;
}

/** As lists are sorted: the company, or the person as `Reyes, Dana`. */
export function listedName({ company, firstName, lastName }: TenantNames): string {
  return company ?? `${lastName}, ${firstName}`;
}
