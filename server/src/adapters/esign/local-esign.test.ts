import { sql } from 'kysely';
import { makeFacility, makeLedger, makeTenant } from '#seeds/builders.ts';
import { openTestApp } from '#test/app.ts';
import { describeEsign, documents } from './esign.contract.ts';
import { createLocalEsign } from './local-esign.ts';

const statusIds = { sent: 1, completed: 2, declined: 3, expired: 4 };

describeEsign('local', async () => {
  const api = await openTestApp('empty_template');
  const { owner, ctx } = api;
  const facility_id = await makeFacility(owner, {});
  const tenant_id = await makeTenant(owner, { facility_id });
  const rent = async (name: string) =>
    (await makeLedger(owner, ctx.vault, { tenant_id, unit: { facility_id, name } })).ledgerId;
  const [ledgerId, emptyLedgerId, otherLedgerId] = [
    await rent('A1'),
    await rent('A2'),
    await rent('A3'),
  ];
  const rows = documents.map(({ form, status }) => ({
    ledger_id: ledgerId,
    form_name: form,
    envelope_status_id: statusIds[status],
  }));
  const secret = { ledger_id: otherLedgerId, form_name: 'Secret', envelope_status_id: 1 };
  await owner
    .insertInto('esign_documents')
    .values([secret, ...rows.toReversed()])
    .execute();
  return {
    esign: createLocalEsign(ctx.db, ctx.clock),
    db: ctx.db,
    ledgerId,
    emptyLedgerId,
    otherLedgerId,
    async whileDown(work) {
      await sql`ALTER TABLE esign_documents RENAME TO esign_documents_away`.execute(owner);
      await work();
      await sql`ALTER TABLE esign_documents_away RENAME TO esign_documents`.execute(owner);
    },
    close: () => api.close(),
  };
});
