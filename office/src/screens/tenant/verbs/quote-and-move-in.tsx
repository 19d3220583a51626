import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney } from '@gatehouse/contract/money';
import { Button as MuiButton, Stack, Typography } from '@mui/material';
import { useRefresh } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import { ActionDialog, anyAction, type Reply } from '#parts/action-dialog.tsx';
import { Balances } from '#parts/outcome.tsx';
import {
  PrintButton,
  Quote,
  quoteProps,
  type TakenQuote,
  termInputs,
  typedOf,
} from '#parts/quote.tsx';
import { todayAt } from '#parts/today-at.ts';
import type { OfRecord } from './offers.tsx';

/** The quote of a new rental, with the way to the move-in that takes it. */
export function quote({ tenant: { id: tenantId, locationCode } }: OfRecord) {
  return anyAction({
    ...quoteProps,
    explanation: 'What a move-in would charge, to the cent. Nothing is reserved or posted.',
    given: { tenantId },
    inputs: { ...termInputs(locationCode), firstName: null, email: null },
    defaultValues: { on: todayAt(locationCode) },
    previewActions: ({ tenantId: _, ...terms }, { total }, close) => (
      <>
        <PrintButton />
        <TakeQuote quote={{ terms, total }} close={close} />
      </>
    ),
  });
}

export function moveIn({ tenant: { id: tenantId, locationCode } }: OfRecord) {
  return anyAction({
    ...moveInProps(tenantId),
    inputs: termInputs(locationCode),
    defaultValues: { on: todayAt(locationCode), why: 'New rental' },
  });
}

function TakeQuote({ quote: taken, close }: { quote: TakenQuote; close: () => void }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <MuiButton
      onClick={() => {
        close();
        void navigate(pathname, { replace: true, state: { quote: taken } });
      }}
    >
      Move in
    </MuiButton>
  );
}

/**
 * The move-in by the quote that the page was opened or opened again with; the quote may have been
 * made before there was the record.
 */
export function QuotedMoveIn({ tenant: { id: tenantId, locationCode } }: OfRecord) {
  const { pathname, ...location } = useLocation();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const taken = (location.state as { quote?: TakenQuote } | null)?.quote;
  if (taken === undefined) return null;
  return (
    <ActionDialog
      {...moveInProps(tenantId, taken.total)}
      inputs={termInputs(locationCode)}
      explanation={`As quoted: ${formatMoney(taken.total)} in all. If it would be another sum now, nothing is done.`}
      defaultValues={{ ...typedOf(taken.terms), why: 'New rental' }}
      onClose={(isDone) => {
        void navigate(pathname, { replace: true, state: null });
        if (isDone) refresh();
      }}
    />
  );
}

const action = officeVerbs['rentals.moveIn'];

/** The move-in; `quotedTotal` is what its first bill must come to. */
function moveInProps(tenantId: string, quotedTotal?: number) {
  return {
    action,
    label: 'Move in',
    given: { tenantId, ...(quotedTotal !== undefined && { quotedTotal }) },
    describe: (reply: Reply<typeof action>, isDone: boolean) => (
      <Stack sx={{ gap: 1.5 }}>
        <Quote quote={reply} />
        <Balances ledgers={reply.ledgers} isDone={isDone} />
        {reply.documents.map(({ name, mailedTo }) => (
          <Typography key={name}>
            {mailedTo === null
              ? `${name} ${isDone ? 'is' : 'will be'} made, and not mailed: the address on file is no mail address.`
              : `${name} ${isDone ? 'is' : 'will be'} mailed to ${mailedTo}, to be signed.`}
          </Typography>
        ))}
        {reply.isInvited && (
          <Typography>
            {isDone ? 'The invitation to the portal is mailed.' : 'The tenant is invited by mail.'}
          </Typography>
        )}
      </Stack>
    ),
  };
}
