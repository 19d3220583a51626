import { formatMoney } from '@gatehouse/contract/money';
import type { PayLinkView } from '@gatehouse/contract/pay-links';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { LoadFailure } from '#ui/load-failure.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { PayForm } from './pay-form.tsx';
import { PayFrame, PayLoading } from './pay-frame.tsx';
import { type Phase, type Receipt, usePayLink } from './use-pay-link.ts';

/** One debt, its sum, and a card or bank account to pay it with, once. */
export function PayPage({ token, first }: { token: string; first: Phase }) {
  const { phase, load, submit, tryAgain } = usePayLink(token, first);
  if (phase.kind === 'loading') return <PayLoading />;
  if (phase.kind === 'failed' || phase.kind === 'dead')
    return (
      <PayFrame>
        <h1 className="text-24 font-semibold">Pay</h1>
        <div className="mt-4">
          {phase.kind === 'dead' ? (
            <Alert tone="warn">{phase.message}</Alert>
          ) : (
            <LoadFailure onTryAgain={load}>{phase.message}</LoadFailure>
          )}
        </div>
      </PayFrame>
    );
  const { view } = phase;
  return (
    <PayFrame>
      <h1 className="text-24 font-semibold">Pay</h1>
      <div className="mt-4 flex flex-col gap-4">
        {phase.kind === 'paid' ? <Paid receipt={phase.receipt} /> : <Debt view={view} />}
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
    </PayFrame>
  );
}

/** What the link is for. */
function Debt({ view: { unitKind, tenantInitial, amount } }: { view: PayLinkView }) {
  return (
    <div>
      <p className="text-32 font-semibold tabular-nums">{formatMoney(amount)}</p>
      <p className="text-muted">
        For a rental ({unitKind}) of {tenantInitial}.
      </p>
    </div>
  );
}

function Paid({ receipt: { status, amount, receiptNumber } }: { receipt: Receipt }) {
  return (
    <>
      <Alert tone="good" focus>
        <span className="block text-32 font-semibold tabular-nums">{formatMoney(amount)}</span>
        Your payment has been applied successfully
      </Alert>
      <p className="tabular-nums">
        Receipt {receiptNumber} is mailed to the tenant. You can close this page: the link does not
        work again.
      </p>
      {status === 'pending' && (
        <p className="text-muted">
          Your bank still has to confirm it. If it is returned, the sum is due again.
        </p>
      )}
    </>
  );
}

/** The answer has not come: the payment is neither called failed nor made again (C11). */
function Confirming({ isGivenUp, onTryAgain }: { isGivenUp: boolean; onTryAgain: () => void }) {
  return (
    <>
      <Alert tone="warn" focus>
        {isGivenUp
          ? 'We could not confirm your payment yet. Trying again here asks about the same payment and never takes it twice.'
          : 'Your payment is being confirmed. This can take a minute or two. Please do not pay again.'}
      </Alert>
      {isGivenUp ? (
        <Button onClick={onTryAgain}>Try again</Button>
      ) : (
        <Spinner label="Waiting for the confirmation…" />
      )}
    </>
  );
}
