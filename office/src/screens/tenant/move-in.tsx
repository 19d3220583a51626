import { formatMoney } from '@gatehouse/contract/money';
import { Button as MuiButton, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useRefresh } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import type { FormReader } from '#parts/form-reader.ts';
import { Balances } from '#parts/outcome.tsx';
import { PrintButton, Quote, type TakenQuote, Terms, termsOf, typedOf } from '#parts/quote.tsx';
import { todayHere } from '#parts/today-here.ts';
import { type Reply, VerbButton, VerbDialog } from '#parts/verb-dialog.tsx';

type Props = { tenantId: string; locationCode: string };

/**
 * The quote of a new rental, and the move-in that takes it: also one that was made before there was
 * the record, which comes with the way to its page.
 */
export function QuoteAndMoveIn({ tenantId, locationCode }: Props) {
  const { pathname, ...location } = useLocation();
  const state = location.state as { quote?: TakenQuote } | null;
  const navigate = useNavigate();
  const [taken, setTaken] = useState(state?.quote ?? null);
  const refresh = useRefresh();
  const inputs = <Terms locationCode={locationCode} />;
  return (
    <>
      <VerbButton
        verb="rentals.mailQuote"
        label="Quote"
        variant="outlined"
        actLabel="Mail the quote"
        explanation="What a move-in would charge, to the cent. Nothing is reserved or posted."
        defaultValues={{ isTaxed: false, on: todayHere() }}
        toBody={(form) => ({ tenantId, ...termsOf(form) })}
        describe={(quote, isDone) => (
          <Stack sx={{ gap: 1.5 }}>
            <Quote quote={quote} />
            {isDone ? (
              <Typography>{`It is mailed to ${quote.to ?? ''}.`}</Typography>
            ) : (
              <Typography className="not-printed">{`It can be mailed to ${quote.to ?? ''}.`}</Typography>
            )}
          </Stack>
        )}
        previewActions={({ body: { tenantId: _, ...terms } }, { total }, close) => (
          <>
            <PrintButton />
            <MuiButton
              onClick={() => {
                close();
                setTaken({ terms, total });
              }}
            >
              Move in
            </MuiButton>
          </>
        )}
      >
        {inputs}
      </VerbButton>
      <VerbButton
        {...moveInProps(tenantId)}
        variant="outlined"
        defaultValues={{ isTaxed: false, on: todayHere(), why: 'New rental' }}
      >
        {inputs}
      </VerbButton>
      {taken && (
        <VerbDialog
          {...moveInProps(tenantId, taken.total)}
          explanation={`As quoted: ${formatMoney(taken.total)} in all. If it would be another sum now, nothing is done.`}
          defaultValues={{ ...typedOf(taken.terms), why: 'New rental' }}
          onClose={(isDone) => {
            setTaken(null);
            // Else it would open again with the page.
            if (state !== null) void navigate(pathname, { replace: true, state: null });
            if (isDone) refresh();
          }}
        >
          {inputs}
        </VerbDialog>
      )}
    </>
  );
}

/** The move-in; `quotedTotal` is what its first bill must come to. */
function moveInProps(tenantId: string, quotedTotal?: number) {
  return {
    verb: 'rentals.moveIn' as const,
    label: 'Move in',
    toBody: (form: FormReader) => ({
      tenantId,
      ...termsOf(form),
      ...(quotedTotal !== undefined && { quotedTotal }),
    }),
    describe: (reply: Reply<'rentals.moveIn'>, isDone: boolean) => (
      <Stack sx={{ gap: 1.5 }}>
        <Quote quote={reply} />
        <Balances ledgers={reply.ledgers} isDone={isDone} />
        {reply.isInvited && (
          <Typography>
            {isDone ? 'The invitation to the portal is mailed.' : 'The tenant is invited by mail.'}
          </Typography>
        )}
      </Stack>
    ),
  };
}
