import { createHmac } from 'node:crypto';
import { openTestApp } from '#test/app.ts';
import { describeGate } from './gate.contract.ts';
import { createSandboxGate } from './sandbox-gate.ts';

const secret = Buffer.alloc(32, 9);

describeGate('sandbox', async () => {
  const api = await openTestApp('empty_template');
  const read = (facility: string) =>
    api.owner
      .selectFrom('sandbox_gateway.gate_units')
      .selectAll()
      .where('facility', '=', facility)
      .orderBy('unit_name')
      .execute();
  return {
    gate: createSandboxGate(api.ctx.db, secret),
    known: async (facility) =>
      (await read(facility)).map(
        (row) =>
          `${row.unit_name}${row.is_suspended ? ' suspended' : ''} on schedule ${row.gate_schedule_id}`,
      ),
    async opens(facility, { unitId }, code) {
      const digest = createHmac('sha256', secret).update(`${unitId}|${code}`).digest();
      return (await read(facility)).some(
        (row) => row.unit_id === unitId && row.code_digest.equals(digest),
      );
    },
    async whileDown(work) {
      await api.sql`ALTER TABLE sandbox_gateway.gate_units RENAME TO gate_units_away`;
      await work();
      await api.sql`ALTER TABLE sandbox_gateway.gate_units_away RENAME TO gate_units`;
    },
    close: () => api.close(),
  };
});
