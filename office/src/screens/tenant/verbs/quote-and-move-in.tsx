import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { formatMoney } from '@gatehouse/contract/money';
import { Button as MuiButton, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useRefresh } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import { ActionButton, ActionDialog, type Reply } from '#parts/action-dialog.tsx';
import { Balances } from '#parts/outcome.tsx';
import {
  PrintButton,
  Quote,
  quoteProps,
  type TakenQuote,
  termInputs,
  typedOf,
} from '#parts/quote.tsx';
import { todayHere } from '#parts/today-here.ts';

/**
 * The quote of a new rental, and the move-in that takes it: also one that was made before there was
 * the record, which comes with the way to its page.
 */
export function QuoteAndMoveIn({ tenant: { id: tenantId, locationCode } }: { tenant: TenantFile }) {
  const { pathname, ...location } = useLocation();
  const state = location.state as { quote?: TakenQuote } | null;
  const navigate = useNavigate();
  const [taken, setTaken] = useState(state?.quote ?? null);
  const refresh = useRefresh();
  const inputs = termInputs(locationCode);
  return (
    <>
      <ActionButton
        {...quoteProps}
        variant="outlined"
        explanation="What a move-in would charge, to the cent. Nothing is reserved or posted."
        given={{ tenantId }}
        inputs={{ ...inputs, firstName: null, email: null }}
        defaultValues={{ on: todayHere() }}
        previewActions={({ tenantId: _, ...terms }, { total }, close) => (
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
      />
      <ActionButton
        {...moveInProps(tenantId)}
        inputs={inputs}
        variant="outlined"
        defaultValues={{ on: todayHere(), why: 'New rental' }}
      />
      {taken && (
        <ActionDialog
          {...moveInProps(tenantId, taken.total)}
          inputs={inputs}
          explanation={`As quoted: ${formatMoney(taken.total)} in all. If it would be another sum now, nothing is done.`}
          defaultValues={{ ...typedOf(taken.terms), why: 'New rental' }}
          onClose={(isDone) => {
            setTaken(null);
            // Else it would open again with the page.
            if (state !== null) void navigate(pathname, { replace: true, state: null });
            if (isDone) refresh();
          }}
        />
      )}
    </>
  );
}

const moveIn = officeVerbs['rentals.moveIn'];

/** The move-in; `quotedTotal` is what its first bill must come to. */
function moveInProps(tenantId: string, quotedTotal?: number) {
  return {
    action: moveIn,
    label: 'Move in',
    given: { tenantId, ...(quotedTotal !== undefined && { quotedTotal }) },
    describe: (reply: Reply<typeof moveIn>, isDone: boolean) => (
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
