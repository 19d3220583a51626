import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import pg from 'pg';

/** What the server needs to start; it answers with `{ port }`. */
export type ByHandOrder = { url: string };

process.once('message', (order: ByHandOrder) => {
  void serve(order).then((port) => process.send!({ port }));
});
process.once('disconnect', () => process.exit(0));

/** As many as the pool of the server. */
const CONNECTIONS = 10;

/**
 * The floor of a read and of a payment: node:http and pg, with one indexed statement for the read
 * and three transactions of two statements for the payment, all written by hand. No framework, no
 * guard, no row-level security, no checks. The read's answer is the real one to the byte.
 */
async function serve({ url }: ByHandOrder): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, pipeline: true });
  const server = createServer((request, answer) => {
    respond(pool, request, answer).catch((error: unknown) => {
      console.error(error);
      answer.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

async function respond(
  pool: pg.Pool,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { url = '', method } = request;
  const tenantId = /\/tenants\/([^/]+)\/(?:ledgers|payments)$/.exec(url)?.[1];
  if (url === '/metrics') sendText(answer, metrics());
  else if (tenantId === undefined) answer.writeHead(404).end();
  else if (method === 'GET') sendJson(answer, await readLedgers(pool, tenantId));
  else {
    const body = JSON.parse(await textOf(request)) as PaymentBody;
    sendJson(answer, await pay(pool, body.payments[0]!));
  }
}

function metrics(): string {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
}

const LEDGERS = `
  SELECT l.id, l.tenant_id, l.unit_id, u.name, u.width_feet, u.length_feet, u.type_name,
    l.rental_rate_cents::float8, l.balance_cents::float8, l.paid_through::text, l.scheduled_rate_cents::float8,
    l.scheduled_rate_on::text, l.discount_plan_id, l.gate_schedule_id, v.license_plate, v.description,
    greatest(0, ($2::timestamptz AT TIME ZONE 'America/Chicago')::date - l.paid_through - 1) AS days,
    (SELECT json_agg(json_build_array(c.id, c.description, c.owed_cents, c.discount_cents, c.tax1_cents, c.tax2_cents, c.category)
      ORDER BY c.place) FROM bench.open_charges c WHERE c.ledger_id = l.id) AS charges
  FROM ledgers l JOIN units u ON u.id = l.unit_id LEFT JOIN vehicles v ON v.ledger_id = l.id
  WHERE l.tenant_id = $1 AND l.moved_out_on IS NULL
  ORDER BY u.name`;

type LedgerRow = {
  id: string;
  tenant_id: string;
  unit_id: string;
  name: string;
  width_feet: number;
  length_feet: number;
  type_name: string;
  rental_rate_cents: number;
  balance_cents: number;
  paid_through: string;
  scheduled_rate_cents: number | null;
  scheduled_rate_on: string | null;
  discount_plan_id: string | null;
  gate_schedule_id: number;
  license_plate: string | null;
  description: string | null;
  days: number;
  charges: [string, string, number, number, number, number, string][] | null;
};

async function readLedgers(pool: pg.Pool, tenantId: string) {
  const { rows } = await pool.query<LedgerRow>({
    name: 'ledgers',
    text: LEDGERS,
    values: [tenantId, testClock.now()],
  });
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    unitId: row.unit_id,
    unitName: row.name,
    unit: { width: row.width_feet, length: row.length_feet, typeName: row.type_name },
    rentalRate: row.rental_rate_cents / 100,
    balance: row.balance_cents / 100,
    charges: (row.charges ?? []).map(([id, description, owed, discount, tax1, tax2]) => ({
      id,
      description,
      balance: owed / 100,
      discount: discount / 100,
      tax1: tax1 / 100,
      tax2: tax2 / 100,
    })),
    paidThrough: row.paid_through,
    scheduledRateChange: row.scheduled_rate_cents === null ? null : row.scheduled_rate_cents / 100,
    scheduledRateChangeEffectiveDate: row.scheduled_rate_on,
    discountPlanId: row.discount_plan_id,
    daysPastDue: row.charges?.some(([, , , , , , category]) => category === 'rent') ? row.days : 0,
    timeZoneId: row.gate_schedule_id,
    vehicle:
      row.license_plate === null
        ? null
        : { licensePlate: row.license_plate, description: row.description },
  }));
}

type PaymentBody = { payments: { ledgerId: string; amount: number }[] };

/** The attempt, what the gateway keeps of it, and its place in the books. */
async function pay(pool: pg.Pool, { ledgerId, amount }: PaymentBody['payments'][number]) {
  const [intentId, chargeId] = [randomUUID(), randomUUID()];
  const cents = Math.round(amount * 100);
  await transaction(
    pool,
    {
      name: 'open',
      text: `INSERT INTO bench.intents (id, ledger_id, amount_cents, state) VALUES ($1, $2, $3, 'open')`,
      values: [intentId, ledgerId, cents],
    },
    {
      name: 'claim',
      text: 'UPDATE bench.balances SET attempts = attempts + 1 WHERE ledger_id = $1',
      values: [ledgerId],
    },
  );
  await transaction(
    pool,
    {
      name: 'charge',
      text: 'INSERT INTO bench.gateway_charges (id, intent_id, amount_cents) VALUES ($1, $2, $3)',
      values: [chargeId, intentId, cents],
    },
    {
      name: 'charged',
      text: `UPDATE bench.intents SET state = 'charged' WHERE id = $1`,
      values: [intentId],
    },
  );
  await transaction(
    pool,
    {
      name: 'post',
      text: 'INSERT INTO bench.entries (intent_id, ledger_id, amount_cents) VALUES ($1, $2, $3)',
      values: [intentId, ledgerId, -cents],
    },
    {
      name: 'settle',
      text: 'UPDATE bench.balances SET balance_cents = balance_cents - $2 WHERE ledger_id = $1',
      values: [ledgerId, cents],
    },
  );
  return { results: [{ ledgerId, amount, id: intentId }] };
}

/** Both statements and the commit in one round trip. */
async function transaction(pool: pg.Pool, ...statements: pg.QueryConfig[]): Promise<void> {
  const client = await pool.connect();
  try {
    const sent = [{ text: 'begin' }, ...statements, { text: 'commit' }];
    await Promise.all(sent.map((statement) => client.query(statement)));
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  return text;
}

function sendJson(answer: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  answer
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

function sendText(answer: ServerResponse, text: string): void {
  answer.writeHead(200, { 'content-type': 'text/plain' }).end(text);
}
