import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { accountPostingEmail } from '#emails/account-posting.ts';
import { entryCents, post, type Books, type Change } from '#features/base/ledgers/books.ts';
import { postLocked } from '#features/base/ledgers/postings.ts';
import { findOwed } from '#features/service/gate-access/owed.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import type { StaffLedger, StaffWork } from '#features/base/staff-actions/staff-actions.ts';

/** What a staff action posts to one ledger, whose books `lockBooks` has locked and read. */
export type LedgerChanges = { ledger: StaffLedger; books: Books; changes: Change[] };

/**
 * Posts changes, on the facility's day or on that of their id in `days`; answers the ledgers with
 * their balances in dollars, in the same order.
 */
export async function postChanges(
  on: StaffWork,
  parts: LedgerChanges[],
  days: ReadonlyMap<string, string> = new Map(),
) {
  const postings = parts.map(({ books, changes }) => post(books, changes).posting);
  const zones = new Map(parts.map(({ ledger }) => [ledger.id, ledger.timeZone]));
  const dayOf = (ledgerId: string, changeId: string) =>
    days.get(changeId) ?? calendarDateIn(zones.get(ledgerId)!, on.now);
  await postLocked(on.trx, { instant: on.now, dayOf }, postings);
  return parts.map(({ ledger }, index) => ({
    ledgerId: ledger.id,
    unitName: ledger.unitName,
    balance: toDollars(postings[index]!.balanceCents),
  }));
}

/** From when on what was opened again is enforced; null: at once, or nothing is owed. */
export function owedOnOf(parts: LedgerChanges[], balances: { balance: number }[]): string | null {
  const days = parts
    .filter((_, index) => balances[index]!.balance > 0)
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.kind === 'reversal' ? (change.owedOn ?? []) : []));
  return days[0] ?? null;
}

/**
 * `postChanges`, with a mail to the tenant, which the ledgers share, of every entry and of the
 * balances after it.
 */
export async function postChangesWithMail(
  on: StaffWork,
  parts: LedgerChanges[],
  days?: ReadonlyMap<string, string>,
) {
  const balances = await postChanges(on, parts, days);
  const entries = parts.flatMap(({ ledger: { unitName }, changes }) =>
    changes.map((change) => ({
      unitName,
      description: change.description,
      amount: toDollars(entryCents(change)),
      dueOn: change.kind === 'charge' ? change.dueOn : null,
    })),
  );
  const owedOn = owedOnOf(parts, balances);
  const owed = await findOwed(
    on.ctx,
    on.trx,
    parts.map(({ ledger }) => ledger.id),
  );
  await mailTenantOf(on, parts[0]!.ledger.id, 'account_changed', (to) =>
    accountPostingEmail({ ...to, entries, balances, owedOn, owed }),
  );
  return balances;
}
