/** Who is signed in: three rentals, one of which owes. */
export const TENANT = {
  username: 'dana@example.com',
  password: 'anchor-axle-26',
  locationCode: 'TXDFW03',
  state: 'TX',
};

/** A member of staff of the demo, with the same password. */
export const CLERK = 'clerk@anchor-axle.example';

/** What the portal stores of a session. */
export type Session = { token: string; currentTenantId: string; locationCode: string };

/** Signs in; the session as the portal stores it. Throws where the address is no portal. */
export async function sessionOf(address: string): Promise<string> {
  const { username, password, locationCode } = TENANT;
  const answer = await fetch(`${address}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, locationCode, corporationCode: 'ANCHOR' }),
  });
  if (!answer.ok) throw new Error(`signing in at ${address} was answered ${answer.status}`);
  const { token, tenants } = (await answer.json()) as { token: string; tenants: { id: string }[] };
  return JSON.stringify({ token, tenants, currentTenantId: tenants[0]?.id, locationCode });
}
