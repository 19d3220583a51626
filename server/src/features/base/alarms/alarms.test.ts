import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeFacility } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { raiseAlarm, type Alarm } from './alarms.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('empty_template');
let facilityId: string;
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
});
beforeEach(async () => {
  await api.owner.deleteFrom('alarms').execute();
  await api.owner.deleteFrom('mails').execute();
});

const alarm = (changes: Partial<Alarm> = {}): Alarm => ({
  kind: 'unknown_zone',
  key: `unknown_zone:${facilityId}`,
  facilityId,
  sentence: 'A facility has a time zone that does not exist.',
  facts: { facility: facilityId, cents: 100 },
  ...changes,
});
const mails = () => readMails(api);
const withOperator = () => ({
  ...api.ctx,
  config: { ...api.ctx.config, operatorEmail: 'operator@example.com' },
});

describe('an alarm', () => {
  test('is kept and mailed to the operator once, however often it is raised', async () => {
    const raised = await Promise.all(
      [1, 2, 3].map(() => raiseAlarm(withOperator(), api.ctx.db, alarm())),
    );
    expect(raised.filter(Boolean)).toHaveLength(1);
    expect(await findRows(api.owner, 'alarms', ['kind', 'facts'])).toEqual([
      { kind: 'unknown_zone', facts: { facility: facilityId, cents: 100 } },
    ]);
    expect(await mails()).toMatchObject([
      {
        to_address: 'operator@example.com',
        subject: 'Alarm: A facility has a time zone that does not exist.',
        text: expect.stringMatching(
          new RegExp(`Give the facility an IANA time zone[^]*facility: ${facilityId}\\ncents: 100`),
        ),
      },
    ]);
  });

  test('goes to the facility where the operator has no address, and only to the log without a facility', async () => {
    await raiseAlarm(api.ctx, api.ctx.db, alarm());
    await raiseAlarm(api.ctx, api.ctx.db, alarm({ key: 'other', facilityId: null }));
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([
      'eagle-mountain@anchor-axle.example',
    ]);
    expect(await findRows(api.owner, 'alarms', 'id')).toHaveLength(2);
  });

  test('that was closed is raised again where its trouble is found again, and one of what happened once is not', async () => {
    const close = () =>
      changeRows(
        api.ctx.db,
        'alarms',
        { closed_at: api.ctx.clock.now(), closed_by: 'Ana', closed_why: '' },
        { closed_at: null },
      );
    const once = { kind: 'card_dispute' as const, key: 'card_dispute:1' };
    for (const changes of [{}, once]) await raiseAlarm(api.ctx, api.ctx.db, alarm(changes));
    await close();
    const again = await Promise.all([1, 2, 3].map(() => raiseAlarm(api.ctx, api.ctx.db, alarm())));
    expect(again.filter(Boolean)).toHaveLength(1);
    expect(await raiseAlarm(api.ctx, api.ctx.db, alarm(once))).toBe(false);
    await close();
    expect(await raiseAlarm(api.ctx, api.ctx.db, alarm())).toBe(true);
  });

  test('is gone with the transaction that it was raised in', async () => {
    const transaction = api.ctx.db.transaction().execute(async (trx) => {
      await raiseAlarm(api.ctx, trx, alarm());
      throw new Error('no');
    });
    await expect(transaction).rejects.toThrow('no');
    expect(await findRows(api.owner, 'alarms', 'id')).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test('can be neither changed nor deleted by the server', async () => {
    await raiseAlarm(api.ctx, api.ctx.db, alarm());
    await expect(changeRows(api.ctx.db, 'alarms', { kind: 'x' })).rejects.toThrow(
      'permission denied',
    );
    await expect(api.ctx.db.deleteFrom('alarms').execute()).rejects.toThrow('permission denied');
  });
});
