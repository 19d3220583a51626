import type { Ledger } from '@gatehouse/contract/ledgers';
import { expect, onTestFinished, test } from 'vitest';
import { EsignUnavailable } from '#adapters/esign/esign.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { tripsOf } from '#test/round-trips.ts';
import type { Overview } from './overview.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('demo_template');

async function overviewOf({ token, prefix, tenantIds }: SignedIn) {
  const { status, body } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/overview`, {
    token,
  });
  return { status, body: body as Overview };
}

test.each(['dana@example.com', 'lee@example.com', 'sam@example.com'])(
  'each part for %s is what its own call answers',
  async (email) => {
    const user = await signIn(api, email);
    const get = async (path: string): Promise<unknown> =>
      (await api.call('GET', `${user.prefix}${path}`, user)).body;
    const { status, body } = await overviewOf(user);
    expect(status).toBe(200);
    const { facility, tenant, ledgers, gateAccess, autopays, files, ...rest } = body;
    const record = `/tenants/${user.tenantIds[0]}`;
    expect(facility).toEqual(await get(''));
    expect(tenant).toEqual(await get(record));
    expect(ledgers).toEqual(await get(`${record}/ledgers`));
    expect(autopays).toEqual(await get(`${record}/autopays`));
    expect(files).toEqual(await get(`${record}/files`));
    expect(gateAccess).toHaveLength(ledgers!.length);
    for (const { id, unitId } of ledgers as Ledger[]) {
      expect(gateAccess!.find((access) => access.unitId === unitId)).toEqual(
        await get(`/units/${unitId}/gate-access`),
      );
      const stored = rest.unitContents!.find(({ ledgerId }) => ledgerId === id);
      expect({ contents: stored?.contents ?? '' }).toEqual(
        await get(`/ledgers/${id}/unit-contents`),
      );
    }
    const others = user.tenantIds.slice(1);
    expect(rest.others?.tenants ?? []).toEqual(
      await Promise.all(others.map((id) => get(`/tenants/${id}`))),
    );
    expect([...ledgers!, ...(rest.others?.ledgers ?? [])]).toEqual(
      await get(`/tenants/${user.tenantIds.join()}/ledgers`),
    );
    const ids = ledgers!.map(({ id }) => id).join();
    expect(rest.insuranceStatuses).toEqual(
      ids === '' ? [] : await get(`/ledgers/${ids}/insurance-statuses`),
    );
  },
);

test('it is of the record that is asked for only: neither codes nor rentals of another one of the same sign-in', async () => {
  const user = await signIn(api, 'dana@example.com');
  const [first, second] = user.tenantIds;
  const { rows } = await api.owner.executeQuery<{ id: string }>(
    api.owner
      .updateTable('ledgers')
      .set({ tenant_id: second! })
      .where('tenant_id', '=', first!)
      .where(
        'id',
        '=',
        api.owner.selectFrom('ledgers').select('id').where('tenant_id', '=', first!).limit(1),
      )
      .returning('id')
      .compile(),
  );
  onTestFinished(async () => {
    await changeRows(api.owner, 'ledgers', { tenant_id: first! }, { id: rows[0]!.id });
  });
  const { body } = await overviewOf(user);
  const own = body.ledgers!.map(({ unitId }) => unitId);
  expect(body.ledgers!.map(({ id }) => id)).not.toContain(rows[0]!.id);
  expect(body.gateAccess!.map(({ unitId }) => unitId).toSorted()).toEqual(own.toSorted());
});

test('takes sixteen round trips to the database at most', async () => {
  const user = await signIn(api, 'dana@example.com');
  await overviewOf(user);
  const trips = await tripsOf(() => overviewOf(user));
  expect(trips).toBeLessThanOrEqual(16);
});

test('a code that is shown is in the audit trail once', async () => {
  const user = await signIn(api, 'dana@example.com');
  const count = async () =>
    (await findRows(api.owner, 'audit_events', 'id', { kind: 'gate_code_shown' })).length;
  const before = await count();
  const { body } = await overviewOf(user);
  const shown = body.gateAccess!.filter(({ accessCode }) => accessCode !== undefined);
  expect(shown.length).toBeGreaterThan(0);
  expect((await count()) - before).toBe(shown.length);
});

// spec 7.79
test('a part that fails is left out, and so are the documents of a remote signing service', async () => {
  const user = await signIn(api, 'dana@example.com');
  const { esign } = api.ctx;
  onTestFinished(() => {
    api.ctx.esign = esign;
  });
  api.ctx.esign = { ...esign, list: () => Promise.reject(new EsignUnavailable('away')) };
  const failed = await overviewOf(user);
  expect([failed.status, Object.keys(failed.body).length]).toEqual([200, 8]);
  expect(failed.body.files).toBeUndefined();

  let asked = 0;
  const list = () => Promise.resolve([]).finally(() => (asked += 1));
  api.ctx.esign = { ...esign, list, isRemote: true };
  expect((await overviewOf(user)).body.files).toBeUndefined();
  expect(asked).toBe(0);
});

test('is no other tenant’s, and no visitor’s', async () => {
  const [dana, lee] = [await signIn(api, 'dana@example.com'), await signIn(api, 'lee@example.com')];
  expect((await overviewOf({ ...lee, tenantIds: dana.tenantIds })).status).toBe(404);
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/overview`;
  expect((await api.call('GET', path, {})).status).toBe(401);
});
