import type { Charge } from '@gatehouse/contract/charges';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, toCents, toDollars } from '@gatehouse/contract/money';
import { useListChargesQuery } from '#api/charges.ts';
import { useListDiscountPlansQuery } from '#api/facilities.ts';
import { Button } from '#ui/button.tsx';
import { DialogButton } from '#ui/dialog-button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Table } from '#ui/table.tsx';

/** The View Charges action of a rental that owes, and its dialog (spec section 4, Balance display). */
export function ViewCharges({ ledger }: { ledger: Ledger }) {
  return (
    <DialogButton label="View Charges" about={`of ${ledger.unitName}`}>
      {(close) => <ChargesDialog ledger={ledger} onClose={close} />}
    </DialogButton>
  );
}

function ChargesDialog({ ledger, onClose }: { ledger: Ledger; onClose: () => void }) {
  const load = useListChargesQuery({ tenantId: ledger.tenantId, ledgerId: ledger.id });
  return (
    <Dialog title="Charges" description={`What is still owed for ${ledger.unitName}.`} onClose={onClose}>
      <Loadable load={load} failure="The charges could not be loaded." skeleton="h-40 w-full">
        {(charges) => <Charges charges={charges} unitName={ledger.unitName} />}
      </Loadable>
      {ledger.discountPlanId !== null && <DiscountPlan id={ledger.discountPlanId} />}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Charges({ charges, unitName }: { charges: Charge[]; unitName: string }) {
  const total = toDollars(charges.reduce((cents, { balance }) => cents + toCents(balance), 0));
  return (
    <>
      <Table
        caption={`Charges of ${unitName}`}
        columns={[
          { header: 'Description', cell: ({ description }) => description },
          { header: 'Discount', align: 'right', cell: ({ discount }) => formatMoney(discount) },
          { header: 'Tax 1', align: 'right', cell: ({ tax1 }) => formatMoney(tax1) },
          { header: 'Tax 2', align: 'right', cell: ({ tax2 }) => formatMoney(tax2) },
          { header: 'Balance', align: 'right', cell: ({ balance }) => formatMoney(balance) },
        ]}
        rows={charges}
        rowKey={({ id }) => id}
        empty="There are no charges on this unit"
      />
      <p className="flex items-baseline justify-between gap-4 pt-3">
        <span className="text-muted">Total</span>
        <strong className="text-20 font-semibold tabular-nums">{formatMoney(total)}</strong>
      </p>
    </>
  );
}

/** The name of the rental's discount plan; left out where it is unknown. */
function DiscountPlan({ id }: { id: string }) {
  const { data } = useListDiscountPlansQuery();
  const plan = data?.find((candidate) => candidate.id === id);
  return plan && <p className="text-muted">Discount plan: {plan.name}</p>;
}
