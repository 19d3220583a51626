/** Who is signed in: three rentals. */
const TENANT = {
  username: 'dana@example.com',
  password: 'anchor-axle-26',
  locationCode: 'TXDFW03',
};

/** Signs in; the session as the portal stores it. */
export async function sessionOf(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...TENANT, corporationCode: 'ANCHOR' }),
  });
  const { token, tenants } = (await answer.json()) as { token: string; tenants: { id: string }[] };
  const { locationCode } = TENANT;
  return JSON.stringify({ token, tenants, currentTenantId: tenants[0]?.id, locationCode });
}
