import type { Charge } from '@gatehouse/contract/charges';
import { entryName } from '@gatehouse/contract/entry-names';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useListChargesQuery } from '#api/charges.ts';
import { useListDiscountPlansQuery } from '#api/facilities.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { DialogActions } from '#ui/dialog.tsx';
import type { FormDialogProps } from '#ui/form-dialog.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Table } from '#ui/table.tsx';

/** The open charges of a rental and their total, in a dialog. */
export default function ChargesView({ ledger, onClose }: { ledger: Ledger } & FormDialogProps) {
  const load = useListChargesQuery({ tenantId: ledger.tenantId, ledgerId: ledger.id });
  return (
    <div className="flex flex-col gap-4">
      <Loadable load={load} failure={t('The charges could not be loaded.')} skeleton="h-40 w-full">
        {(charges) => <Charges charges={charges} unitName={ledger.unitName} />}
      </Loadable>
      {ledger.discountPlanId !== null && <DiscountPlan id={ledger.discountPlanId} />}
      <DialogActions>
        <Button variant="secondary" className="max-sm:flex-none! max-sm:px-4!" onClick={onClose}>
          {t('Close')}
        </Button>
        {/* Pay may open over the page, which this dialog then makes room for. */}
        <a
          href={`/billing-info?ledger=${ledger.id}`}
          className={buttonClass('primary', 'tabular-nums')}
          onClick={onClose}
        >
          <span>{t('Pay {sum}', { sum: formatMoney(ledger.balance) })}</span>
          <span className="sr-only"> {t('for {unit}', { unit: ledger.unitName })}</span>
        </a>
      </DialogActions>
    </div>
  );
}

function Charges({ charges, unitName }: { charges: Charge[]; unitName: string }) {
  const total = sumDollars(charges.map(({ balance }) => balance));
  const given = parts.filter(({ of }) => charges.some((charge) => of(charge) !== 0));
  // Two facts are one line on a phone, and need no labels.
  const place = given.length === 0 ? { onPhone: 'beside' as const } : {};
  return (
    <>
      <Table
        caption={t('Charges of {unit}', { unit: unitName })}
        columns={[
          {
            header: t('Description'),
            ...place,
            cell: ({ description }) => (
              <span className="tabular-nums">{entryName(description)}</span>
            ),
          },
          ...given.map(({ header, of }) => ({
            header,
            align: 'right' as const,
            cell: (charge: Charge) => (of(charge) === 0 ? '–' : formatMoney(of(charge))),
          })),
          {
            header: t('Balance'),
            ...place,
            align: 'right',
            cell: ({ balance }) => formatMoney(balance),
          },
        ]}
        rows={charges}
        rowKey={({ id }) => id}
        empty={t('There are no charges on this unit')}
      />
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3">
        <span className="text-20 font-semibold">{t('Total')}</span>
        <strong className="text-20 font-semibold tabular-nums">{formatMoney(total)}</strong>
      </p>
    </>
  );
}

/** What most charges do not have; left out where none has it. */
const parts = [
  { header: t('Discount'), of: ({ discount }: Charge) => discount },
  { header: t('Tax 1'), of: ({ tax1 }: Charge) => tax1 },
  { header: t('Tax 2'), of: ({ tax2 }: Charge) => tax2 },
];

/** The name of the rental's discount plan; left out where it is unknown. */
function DiscountPlan({ id }: { id: string }) {
  const { data } = useListDiscountPlansQuery();
  const plan = data?.find((candidate) => candidate.id === id);
  return plan && <p className="text-muted">{t('Discount plan: {name}', { name: plan.name })}</p>;
}
