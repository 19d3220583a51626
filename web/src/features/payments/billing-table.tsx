import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { autopayOf, savedMethodOf } from '#api/autopay-record.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import { notePayment } from '#api/sent-payment.ts';
import { usePrivateMoment } from '#session/private-moment.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/lazy-dialog.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Table } from '#ui/table.tsx';
import type { PaymentDialogProps } from './payment-dialog.tsx';

const dialog = lazyPart(() => import('./payment-dialog.tsx'));

type Props = {
  tenantId: string;
  ledgers: Ledger[];
  /** What autopay charges next; another feature's, so the screen brings it. */
  NextCharge: ComponentType<{ record: Autopay }>;
  /** The gate code of a rental, for the same reason. */
  GateAccess: ComponentType<{ ledger: Ledger }>;
  /** Which payment is opened at first: that of a rental, or of all that owe. */
  asked: AskedPayment | null;
  /** The dialog was closed. */
  onClosed: () => void;
};

/** `ledgerId` is null for all. */
export type AskedPayment = { ledgerId: string | null; isAll: boolean };

/** Each rental with what it owes and its payment method, which the dialog sets up or updates. */
export function BillingTable(props: Props) {
  const { tenantId, ledgers, NextCharge, GateAccess, asked, onClosed } = props;
  const autopays = useListAutopaysQuery(tenantId);
  // `isSetup` is that of the opening: saving autopay must not reword the dialog that says so.
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isToOpen, setToOpen] = useState(asked !== null);
  useEffect(() => dialog.fetchAhead(), []);
  if (isToOpen && autopays.data !== undefined) {
    setToOpen(false);
    setOpened(openedFor(asked, ledgers, autopays.data));
  }

  const ledger = ledgers.find(({ id }) => id === opened?.id);

  function close() {
    notePayment(null);
    setOpened(null);
    onClosed();
    void autopays.refetch();
  }
  return (
    <>
      <Table
        caption={t('Balance and payment method of each unit')}
        isFixed
        columns={[
          {
            header: t('Unit Name'),
            width: 'sm:w-24',
            cell: ({ unitName }) => (
              <span className="font-medium wrap-anywhere max-sm:text-17 max-sm:font-semibold">
                {unitName}
              </span>
            ),
          },
          {
            header: t('Current Balance'),
            align: 'right',
            width: 'sm:w-36',
            cell: ({ balance }) => <Balance balance={balance} />,
          },
          {
            header: t('Payment Method'),
            onPhone: 'wide',
            cell: (ledger) => (
              <Loadable
                load={{ ...autopays, data: autopays.data && autopayOf(autopays.data, ledger.id) }}
                failure={t('Could not be loaded.')}
                // With a first line, as the value has one: the label next to it is on that.
                skeleton="flex h-19.5 w-60 max-w-full before:content-['\200b'] sm:h-12"
              >
                {(record) => (
                  <Method
                    ledger={ledger}
                    record={record}
                    onOpen={() =>
                      setOpened({ id: ledger.id, isSetup: !record.active, isAll: false })
                    }
                  >
                    <NextCharge record={record} />
                  </Method>
                )}
              </Loadable>
            ),
          },
        ]}
        rows={ledgers}
        rowKey={({ id }) => id}
      />
      {opened && ledger && autopays.data && (
        <PaymentDialog
          key={opened.id}
          ledger={ledger}
          ledgers={ledgers}
          autopays={autopays.data}
          isSetup={opened.isSetup}
          isAll={opened.isAll}
          GateAccess={GateAccess}
          onClose={close}
        />
      )}
    </>
  );
}

/** A dialog that is open: its rental, and whether every rental that owes is selected. */
type Opened = { id: string; isSetup: boolean; isAll: boolean };

/** The payment that was asked for, null where the record has no such rental or none that owes. */
function openedFor(
  asked: AskedPayment | null,
  ledgers: Ledger[],
  autopays: Autopay[],
): Opened | null {
  const ledger = asked?.isAll
    ? ledgers.find(({ balance }) => balance > 0)
    : ledgers.find(({ id }) => id === asked?.ledgerId);
  if (ledger === undefined) return null;
  const isSetup = !autopayOf(autopays, ledger.id).active;
  return { id: ledger.id, isSetup, isAll: asked?.isAll === true };
}

function Balance({ balance }: { balance: number }) {
  return (
    <span className={`max-sm:text-20 ${balance > 0 ? 'font-semibold text-bad' : 'font-medium'}`}>
      {formatMoney(balance)}
    </span>
  );
}

function Method({
  ledger,
  record,
  onOpen,
  children,
}: {
  ledger: Ledger;
  record: Autopay;
  onOpen: () => void;
  children: ReactNode;
}) {
  const needsAction = ledger.balance > 0 || record.problem !== null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:flex-nowrap sm:items-start">
      <div className="min-w-0 max-sm:basis-full sm:py-3">
        {record.active ? (
          <span>{savedMethodOf(record)?.label ?? t('Autopay is set up')}</span>
        ) : (
          <span className="text-muted">{t('Not set up')}</span>
        )}
        {children}
      </div>
      <Button
        variant={needsAction ? 'primary' : 'secondary'}
        className="w-full px-3! sm:w-32 sm:shrink-0"
        onClick={onOpen}
      >
        <span>{record.active ? t('Update') : t('Setup')}</span>
        <span className="sr-only"> {t('autopay for {unit}', { unit: ledger.unitName })}</span>
      </Button>
    </div>
  );
}

/** The payment method / autopay dialog of a rental. */
function PaymentDialog({ onClose, ...props }: Omit<PaymentDialogProps, 'onBusy' | 'onOutcome'>) {
  usePrivateMoment();
  const [outcome, setOutcome] = useState<string | null>(null);
  const { data: facility } = useGetFacilityQuery();
  return (
    <FormDialog
      title={outcome ?? (props.isSetup ? t('Setup payment method') : t('Update payment method'))}
      description={t('For unit {unit}.', { unit: props.ledger.unitName })}
      onClose={onClose}
      // The provider asks for a bank's sign-in in a window of its own.
      mayBeCovered={facility?.hostedFields != null}
      form={dialog}
      formProps={{ ...props, onOutcome: setOutcome }}
    />
  );
}
