import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { autopayOf } from '#api/autopay-record.ts';
import { useListAutopaysQuery } from '#api/autopay.ts';
import { useGetFacilityQuery } from '#api/facilities.ts';
import type { ButtonVariant } from '#ui/button.tsx';
import { OpenButton } from '#ui/dialog-button.tsx';
import { DialogPlace } from '#ui/dialog-place.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { Table } from '#ui/table.tsx';
import { ALL, type Asked } from './asked.ts';
import PayDialog, { paymentDialog } from './pay-dialog.tsx';

type Props = {
  tenantId: string;
  ledgers: Ledger[];
  /** How autopay is of a rental; another feature's, so the screen brings it. */
  Standing: ComponentType<{ ledger: Ledger; record: Autopay; action: ReactNode }>;
  /** The gate code of a rental, for the same reason. */
  GateAccess: ComponentType<{ ledger: Ledger }>;
  /** What is opened at first. */
  asked: Asked | null;
  /** The dialog was closed. */
  onClosed: () => void;
};

/** What is due in all, then each rental with what it owes and how it is paid. */
export function BillingTable(props: Props) {
  const { tenantId, ledgers, Standing, GateAccess, asked, onClosed } = props;
  const autopays = useListAutopaysQuery(tenantId);
  const [opened, setOpened] = useState(asked && isKnown(asked, ledgers) ? asked : null);
  // What was owed when a payment was sent whose answer has not come.
  const [sent, setSent] = useState<Pick<Ledger, 'id' | 'balance'>[]>([]);
  const isConfirming = ({ id, balance }: Ledger) =>
    sent.some((one) => one.id === id && one.balance === balance);
  const owing = ledgers.filter(({ balance }) => balance > 0);
  useEffect(() => paymentDialog.fetchAhead(), []);

  function close() {
    setOpened(null);
    onClosed();
    void autopays.refetch();
  }
  return (
    <>
      <TotalDue
        owing={owing}
        isConfirming={owing.some(isConfirming)}
        onPay={() => setOpened({ kind: 'pay', ledgerId: ALL })}
      />
      <Table
        caption={t('Balance and payment method of each unit')}
        isFixed
        columns={[
          {
            header: t('Unit Name'),
            onPhone: 'beside',
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
            onPhone: 'wide',
            width: 'sm:w-60',
            cell: (ledger) => (
              <Balance
                ledger={ledger}
                isOnly={owing.length === 1}
                isConfirming={isConfirming(ledger)}
                onPay={() => setOpened({ kind: 'pay', ledgerId: ledger.id })}
              />
            ),
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
                  <Standing
                    ledger={ledger}
                    record={record}
                    action={
                      <Open
                        label={record.active ? t('Update') : t('Setup')}
                        about={t('autopay for {unit}', { unit: ledger.unitName })}
                        variant={
                          record.problem === null || owing.length > 0 ? 'secondary' : 'primary'
                        }
                        onOpen={() => setOpened({ kind: 'autopay', ledgerId: ledger.id })}
                      />
                    }
                  />
                )}
              </Loadable>
            ),
          },
        ]}
        rows={ledgers}
        rowKey={({ id }) => id}
      />
      <DialogPlace>
        {opened && (
          <PayDialog
            asked={opened}
            tenantId={tenantId}
            ledgers={ledgers}
            GateAccess={GateAccess}
            onClose={close}
            onConfirming={(ids) => setSent(ledgers.filter(({ id }) => ids.includes(id)))}
          />
        )}
      </DialogPlace>
    </>
  );
}

/** Whether the record has what is asked for: a link may be of another one. */
function isKnown({ ledgerId }: Asked, ledgers: Ledger[]): boolean {
  return ledgerId === ALL || ledgers.some(({ id }) => id === ledgerId);
}

type OpenProps = { label: string; about: string; variant: ButtonVariant; onOpen: () => void };

function Open(props: OpenProps) {
  // Its fill has the padding of its own.
  const className = props.variant === 'soft' ? '' : 'min-w-21 px-4!';
  return <OpenButton {...props} fetchAhead={paymentDialog.fetchAhead} className={className} />;
}

type TotalProps = { owing: Ledger[]; isConfirming: boolean; onPay: () => void };

/** What is due over all rentals, or the good news that nothing is. */
function TotalDue({ owing, isConfirming, onPay }: TotalProps) {
  const owed = owing.map(({ balance }) => balance);
  if (owed.length === 0)
    return (
      <p className="mb-4 flex items-center gap-2 font-medium text-good">
        <Icon name="check-circle" />
        {t('Nothing is due')}
      </p>
    );
  if (owed.length === 1) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line pb-4">
      <p>
        <span className="block text-15 text-muted">{t('Total due')}</span>
        <span className="text-24 font-semibold text-bad tabular-nums">
          {formatMoney(sumDollars(owed))}
        </span>
      </p>
      {!isConfirming && (
        <OpenButton
          label={t('Pay all')}
          about={t('that is due')}
          variant="primary"
          fetchAhead={paymentDialog.fetchAhead}
          onOpen={onPay}
        />
      )}
    </div>
  );
}

type BalanceProps = {
  ledger: Ledger;
  /** Whether it is all that owes: its Pay is the page's one filled button. */
  isOnly: boolean;
  isConfirming: boolean;
  onPay: () => void;
};

/**
 * What a rental owes, or that a payment is being confirmed; where it owes nothing, months ahead by
 * setting. In the table the sums are on one right edge under their head, with Pay left of them; on
 * a phone Pay is at the right, as the other buttons of the rental.
 */
function Balance({ ledger, isOnly, isConfirming, onPay }: BalanceProps) {
  const { balance, unitName } = ledger;
  const { data: facility } = useGetFacilityQuery();
  const isOwed = balance > 0;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 sm:flex-row-reverse sm:justify-start">
      <span
        className={`min-w-21 max-sm:text-20 ${isOwed ? 'font-semibold text-bad' : 'font-medium'}`}
      >
        {formatMoney(balance)}
      </span>
      {isConfirming ? (
        <span>{t('Being confirmed')}</span>
      ) : (
        (isOwed || (facility?.payAhead && facility.payOnce)) && (
          <Open
            label={isOwed ? t('Pay') : t('Pay ahead')}
            about={t('for {unit}', { unit: unitName })}
            variant={isOwed ? (isOnly ? 'primary' : 'soft') : 'quiet'}
            onOpen={onPay}
          />
        )
      )}
    </div>
  );
}
