import { formatMoney } from '@gatehouse/contract/money';
import type { PayLinkView } from '@gatehouse/contract/pay-links';
import { t } from '@gatehouse/language/t';
import { CallFacility } from '#features/link-page/facility-phone.tsx';
import { LinkFrame, LinkLoading } from '#features/link-page/link-frame.tsx';
import { PaidNote } from '#features/payments/paid-note.tsx';
import { Alert } from '#ui/alert.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { PayForm } from './pay-form.tsx';
import { type Phase, type Receipt, usePayLink } from './use-pay-link.ts';

/** One debt, its sum, and a card or bank account to pay it with, once. */
export function PayPage({ token, first }: { token: string; first: Phase }) {
  const { phase, load, submit, tryAgain } = usePayLink(token, first);
  const path = location.pathname;
  if (phase.kind === 'loading') return <LinkLoading title={t('Pay')} path={path} />;
  if (phase.kind === 'failed' || phase.kind === 'dead')
    return (
      <LinkFrame path={path}>
        <h1 className="text-24 font-semibold">{t('Pay')}</h1>
        <div className="mt-4">
          {phase.kind === 'dead' ? (
            <Dead message={phase.message} phone={phase.phone} />
          ) : (
            <LoadFailure onTryAgain={load}>{phase.message}</LoadFailure>
          )}
        </div>
      </LinkFrame>
    );
  const { view } = phase;
  return (
    <LinkFrame path={path}>
      <h1 className="text-24 font-semibold">
        {phase.kind === 'paid' ? receiptTitle(phase.receipt) : t('Pay')}
      </h1>
      <div className="mt-4 flex flex-col gap-4">
        {phase.kind === 'paid' ? (
          <Paid receipt={phase.receipt} view={view} />
        ) : (
          <Debt view={view} />
        )}
        {phase.kind === 'confirming' && (
          <Confirming isGivenUp={phase.isGivenUp} onTryAgain={tryAgain} />
        )}
        {phase.kind !== 'paid' && (
          // Kept while it is not shown, so that a refusal finds what was typed.
          <div hidden={phase.kind === 'confirming'}>
            <PayForm
              view={view}
              isBusy={phase.kind === 'paying'}
              error={phase.kind === 'fill' ? phase.error : null}
              onSubmit={(getMethod) => submit(view, getMethod)}
            />
          </div>
        )}
      </div>
    </LinkFrame>
  );
}

/** What the link is for. */
function Debt({ view }: { view: PayLinkView }) {
  return (
    <div>
      <p className="text-32 font-semibold tabular-nums">{formatMoney(view.amount)}</p>
      <p className="mt-1 text-muted">{paysFor(view, false)}</p>
    </div>
  );
}

/** What the link is for, and once it is paid, what it was for. */
function paysFor({ operatorName, unitKind, tenantInitial }: PayLinkView, isPaid: boolean): string {
  const [initial, kind, operator] = [tenantInitial, unitKind, operatorName];
  return isPaid
    ? t('Paid for {initial}.’s storage unit ({kind}) at {operator}.', { initial, kind, operator })
    : t('This pays for {initial}.’s storage unit ({kind}) at {operator}.', {
        initial,
        kind,
        operator,
      });
}

/** What is left to do with a link that does not work. */
function Dead({ message, phone }: { message: string; phone: string | null }) {
  return (
    <div className="flex flex-col gap-4">
      <Alert tone="warn">{message}</Alert>
      <p>{t('If you rent here, you can sign in and pay what is due.')}</p>
      <div className="flex flex-col gap-3">
        <a href="/login" className={buttonClass()}>
          {t('Sign in')}
        </a>
        <CallFacility phone={phone} />
      </div>
    </div>
  );
}

/** As the payment dialog of a tenant is named. */
function receiptTitle({ status }: Receipt): string {
  return status === 'pending' ? t('Payment sent') : t('Payment received');
}

function Paid({ receipt, view }: { receipt: Receipt; view: PayLinkView }) {
  const { status, amount, receiptNumber } = receipt;
  return (
    <>
      <PaidNote amount={amount} />
      <p className="text-muted">{paysFor(view, true)}</p>
      <p>
        {t(
          'Receipt {number} was emailed to the tenant. You can close this page: this link will not work again.',
          { number: receiptNumber },
        )}
      </p>
      {status === 'pending' && (
        <p className="text-muted">
          {t('Your bank still has to confirm it. If it is returned, the sum is due again.')}
        </p>
      )}
    </>
  );
}

/** The answer has not come: the payment is neither called failed nor made again. */
function Confirming({ isGivenUp, onTryAgain }: { isGivenUp: boolean; onTryAgain: () => void }) {
  return (
    <>
      <Alert key={String(isGivenUp)} tone="warn" focus isWaiting={!isGivenUp}>
        {isGivenUp
          ? t(
              'We could not confirm your payment yet. Trying again here asks about the same payment and never takes it twice.',
            )
          : t(
              'Your payment is being confirmed. This can take a minute or two. Please do not pay again.',
            )}
      </Alert>
      {isGivenUp && <Button onClick={onTryAgain}>{t('Try again')}</Button>}
    </>
  );
}
