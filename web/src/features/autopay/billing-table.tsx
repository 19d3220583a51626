import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { useEffect, useState } from 'react';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { Button } from '#ui/button.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Table } from '#ui/table.tsx';
import { recordOf } from './autopay-record.ts';
import { NextCharge } from './next-charge.tsx';
import { fetchPaymentMethodFlow, PaymentMethodDialog } from './payment-method-dialog.tsx';
import { savedMethodOf } from './saved-methods.ts';

type Props = { tenantId: string; ledgers: Ledger[] };

/** Each rental with what it owes and its payment method, which the dialog sets up or updates. */
export function BillingTable({ tenantId, ledgers }: Props) {
  const autopays = useListAutopaysQuery(tenantId);
  // The verb is that of the opening: saving autopay must not reword the dialog that says so.
  const [opened, setOpened] = useState<{ id: string; verb: Verb } | null>(null);
  useEffect(fetchPaymentMethodFlow, []);

  const ledger = ledgers.find(({ id }) => id === opened?.id);

  function close() {
    setOpened(null);
    void autopays.refetch();
  }
  return (
    <>
      <Table
        caption="Balance and payment method of each unit"
        columns={[
          {
            header: 'Unit Name',
            cell: ({ unitName }) => <span className="font-medium wrap-anywhere">{unitName}</span>,
          },
          { header: 'Current Balance', align: 'right', cell: ({ balance }) => <Balance balance={balance} /> },
          {
            header: 'Payment Method',
            cell: (ledger) => (
              <Loadable
                load={{ ...autopays, data: autopays.data && recordOf(autopays.data, ledger.id) }}
                failure="Could not be loaded."
                // With a first line, as the value has one: the label beside it stands on that.
                skeleton="flex h-19.5 w-60 max-w-full before:content-['\u200b'] sm:h-12"
              >
                {(record) => (
                  <Method
                    ledger={ledger}
                    record={record}
                    onOpen={() => setOpened({ id: ledger.id, verb: verbOf(record) })}
                  />
                )}
              </Loadable>
            ),
          },
        ]}
        rows={ledgers}
        rowKey={({ id }) => id}
      />
      {opened && ledger && autopays.data && (
        <PaymentMethodDialog
          key={opened.id}
          ledger={ledger}
          ledgers={ledgers}
          autopays={autopays.data}
          verb={opened.verb}
          onClose={close}
        />
      )}
    </>
  );
}

function Balance({ balance }: { balance: number }) {
  return <span className={balance > 0 ? 'font-semibold text-bad' : 'font-medium'}>{formatMoney(balance)}</span>;
}

function Method({ ledger, record, onOpen }: { ledger: Ledger; record: Autopay; onOpen: () => void }) {
  const needsAction = ledger.balance > 0 || record.problem !== null;
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 sm:flex-nowrap sm:justify-between">
      <div className="min-w-0">
        {record.active ? (
          (savedMethodOf(record)?.label ?? 'Autopay is set up')
        ) : (
          <span className="text-muted">Not set up</span>
        )}
        <NextCharge record={record} />
      </div>
      <Button
        variant={needsAction ? 'primary' : 'secondary'}
        className="w-32 max-w-full px-3! sm:shrink-0"
        onClick={onOpen}
      >
        {verbOf(record)}
        <span className="sr-only"> autopay for {ledger.unitName}</span>
      </Button>
    </div>
  );
}

type Verb = 'Setup' | 'Update';

function verbOf({ active }: Autopay): Verb {
  return active ? 'Update' : 'Setup';
}
