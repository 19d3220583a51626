import { describe, expect, test } from 'vitest';
import {
  GatewayUnknown,
  type PaymentGateway,
  type Transaction,
} from '#adapters/payments/gateway.ts';
import { StartFault } from '#errors/start-fault.ts';
import { useTestApp } from '#test/app.ts';
import { runCli } from '#test/cli.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => new Date('2026-11-21T12:00:00Z') },
});

/** Runs the command as the terminal would, with the gateway's list as given. */
function cli(lines: Transaction[], ...args: string[]) {
  return cliAt(
    async function* () {
      for (const line of lines) yield await Promise.resolve(line);
    },
    ...args,
  );
}

/** The same with what the gateway does when it is asked for its list. */
function cliAt(listTransactions: PaymentGateway['listTransactions'], ...args: string[]) {
  const gateway = { ...api.ctx.gateway, listTransactions };
  return runCli({ ...api, ctx: { ...api.ctx, gateway } }, 'reconcile', args);
}

describe('npm run cli -- reconcile', () => {
  test('says what it compared, and exits with 0 where nothing differs', async () => {
    expect(await cli([])).toMatchObject({
      code: 0,
      lines: [
        '0 lines of the gateway from 2026-09-12T12:00:00.000Z to 2026-11-21T11:45:00.000Z were compared.',
        ...[
          'gateway_only',
          'ledger_only',
          'amount',
          'status',
          'duplicate',
          'refund',
          'dispute',
        ].map((name) => `${name.padEnd(13)} 0 new`),
      ],
    });
  });

  test.each([
    '--from 2026-11-20 --to 2026-11-20',
    '--from 2026-11-20 --to 2026-11-01',
    '--from 2026-11-22',
    '--to 2026-11-23',
  ])('refuses %s, which holds nothing to compare, rather than call it clean', async (days) => {
    await expect(cli([], ...days.split(' '))).rejects.toThrow('There is nothing to compare');
  });

  test('exits with 3 for a difference that is new', async () => {
    const at = new Date('2026-11-05T12:00:00Z');
    const lines: Transaction[] = [
      { reference: 'ch_1', amountCents: 100, standing: 'succeeded', at },
    ];
    const days = ['--from', '2026-11-05', '--to', '2026-11-06', '--json'];
    const { code, lines: printed } = await cli(lines, ...days);
    expect(code).toBe(3);
    expect(JSON.parse(printed[0]!)).toMatchObject({
      compared: 1,
      found: { gateway_only: 1, amount: 0 },
    });
    expect(await cli(lines, ...days)).toMatchObject({ code: 0 });
  });

  test('says in a sentence that the gateway cannot be reached', async () => {
    const silent: PaymentGateway['listTransactions'] = () => {
      throw new GatewayUnknown('Stripe did not answer sensibly: StripeConnectionError');
    };
    const ended = cliAt(silent);
    await expect(ended).rejects.toBeInstanceOf(StartFault);
    await expect(ended).rejects.toThrow(
      'The payment gateway cannot be reached (Stripe did not answer sensibly: StripeConnectionError): nothing was compared.',
    );
  });
});
