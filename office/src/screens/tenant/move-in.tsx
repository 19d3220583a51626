import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { getFacilityFile } from '@gatehouse/contract/office/settings';
import {
  Button as MuiButton,
  GlobalStyles,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BooleanInput, DateInput, SelectInput, TextInput, required, useRefresh } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import type { FormReader } from '#parts/form-reader.ts';
import { Money } from '#parts/format.tsx';
import { MoneyInput } from '#parts/money-input.tsx';
import { Balances, Sum, day } from '#parts/outcome.tsx';
import { type Body, type Reply, VerbButton, VerbDialog } from '#parts/verb-dialog.tsx';

type Props = { tenantId: string; locationCode: string };

/** The quote of a new rental, and the move-in that takes it. */
export function QuoteAndMoveIn({ tenantId, locationCode }: Props) {
  const [taken, setTaken] = useState<{ body: Body<'rentals.moveIn'>; total: number } | null>(null);
  const refresh = useRefresh();
  const terms = <Terms locationCode={locationCode} />;
  return (
    <>
      <VerbButton
        verb="rentals.mailQuote"
        label="Quote"
        variant="outlined"
        actLabel="Mail the quote"
        explanation="What a move-in would charge, to the cent. Nothing is reserved or posted."
        defaultValues={{ isTaxed: false }}
        toBody={(form) => termsOf(tenantId, form)}
        describe={(quote, isDone) => (
          <Stack sx={{ gap: 1.5 }}>
            <Quote quote={quote} />
            {isDone ? (
              <Typography>It is mailed to {quote.to}.</Typography>
            ) : (
              <Typography className="not-printed">It can be mailed to {quote.to}.</Typography>
            )}
          </Stack>
        )}
        previewActions={(body, { total }, close) => (
          <>
            <MuiButton onClick={() => window.print()}>Print</MuiButton>
            <MuiButton
              onClick={() => {
                close();
                setTaken({ body, total });
              }}
            >
              Move in
            </MuiButton>
          </>
        )}
      >
        {terms}
      </VerbButton>
      <VerbButton
        {...moveInProps(tenantId)}
        variant="outlined"
        defaultValues={{ isTaxed: false, why: 'New rental' }}
      >
        {terms}
      </VerbButton>
      {taken && (
        <VerbDialog
          {...moveInProps(tenantId, taken.total)}
          explanation={`As quoted: ${formatMoney(taken.total)} in all. If it would be another sum now, nothing is done.`}
          defaultValues={{ ...typedOf(taken.body), why: 'New rental' }}
          onClose={(isDone) => {
            setTaken(null);
            if (isDone) refresh();
          }}
        >
          {terms}
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
      ...termsOf(tenantId, form),
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

function termsOf(tenantId: string, form: FormReader): Body<'rentals.moveIn'> {
  return {
    tenantId,
    unit: form.text('unit'),
    on: form.text('on'),
    isTaxed: form.isYes('isTaxed'),
    ...form.optionalAmount('rate'),
    ...form.optionalText('discountPlanId'),
    ...form.optionalText('protectionPlanId'),
    ...form.optionalText('gateCode'),
  };
}

/** A body as its form is filled in. */
function typedOf({ rate, ...body }: Body<'rentals.moveIn'>): FieldValues {
  return { ...body, ...(rate !== undefined && { rate: rate.toFixed(2) }) };
}

/** What a rental begins with. */
function Terms({ locationCode }: { locationCode: string }) {
  const { me } = useSession();
  const facilityId = me?.facilities.find((one) => one.locationCode === locationCode)?.id ?? '';
  const { data } = useQuery({
    queryKey: ['settings', facilityId],
    enabled: facilityId !== '',
    queryFn: ({ signal }) => call(getFacilityFile, { params: { facilityId } }, signal),
  });
  const discounts = data?.discountPlans.filter(({ endedOn }) => endedOn === null) ?? [];
  const protections = data?.protectionPlans.filter(({ endedOn }) => endedOn === null) ?? [];
  return (
    <>
      <TextInput source="unit" label="Unit" validate={required('Enter the unit.')} />
      <DateInput source="on" label="From" validate={required('Choose the day.')} />
      <MoneyInput
        source="rate"
        label="Rent a month"
        helperText="That of the unit's last rental where it is empty."
        isOptional
      />
      {discounts.length > 0 && (
        <SelectInput
          source="discountPlanId"
          label="Discount"
          emptyText="None"
          choices={discounts.map(({ id, name, takes }) => ({ id, name: `${name}: ${takes}` }))}
        />
      )}
      {protections.length > 0 && (
        <SelectInput
          source="protectionPlanId"
          label="Protection plan"
          emptyText="None"
          choices={protections.map(({ id, description, coverage, premium }) => ({
            id,
            name: `${description}, covers ${formatMoney(coverage)}: ${formatMoney(premium)} a month`,
          }))}
        />
      )}
      <BooleanInput source="isTaxed" label="The facility's taxes on rent apply" />
      <TextInput source="gateCode" label="Gate code" helperText="A random one where it is empty." />
    </>
  );
}

type Quoted = Pick<Reply<'rentals.moveIn'>, 'movedInOn' | 'rate' | 'charges' | 'total' | 'ledgers'>;

/** The first bill line by line: price, discount, taxes, sum. */
function Quote({ quote: { movedInOn, rate, charges, total, ledgers } }: { quote: Quoted }) {
  const hasDiscount = charges.some(({ discount }) => discount > 0);
  const hasTax = charges.some(({ tax1, tax2 }) => tax1 + tax2 > 0);
  return (
    <>
      <GlobalStyles styles={printed} />
      <Typography>
        Unit {ledgers[0]?.unitName} from {day(movedInOn)} at {formatMoney(rate)} a month.
      </Typography>
      <Table size="small" aria-label="First bill">
        <TableHead>
          <TableRow>
            <TableCell>For</TableCell>
            {(hasDiscount || hasTax) && <TableCell align="right">Price</TableCell>}
            {hasDiscount && <TableCell align="right">Discount</TableCell>}
            {hasTax && <TableCell align="right">Tax</TableCell>}
            <TableCell align="right">Sum</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {charges.map(({ description, price, discount, tax1, tax2, amount }, index) => (
            <TableRow key={index}>
              <TableCell>{description}</TableCell>
              {(hasDiscount || hasTax) && (
                <TableCell align="right">
                  <Money value={price} />
                </TableCell>
              )}
              {hasDiscount && (
                <TableCell align="right">
                  <Money value={-discount} />
                </TableCell>
              )}
              {hasTax && (
                <TableCell align="right">
                  <Money value={sumDollars([tax1, tax2])} />
                </TableCell>
              )}
              <TableCell align="right">
                <Money value={amount} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <Sum label="First bill" value={total} />
    </>
  );
}

/** Prints the dialog alone, as a page. */
const printed = {
  '@media print': {
    '#root, .MuiDialogActions-root, .MuiBackdrop-root, .not-printed': {
      display: 'none !important',
    },
    '.MuiDialog-root': { position: 'static !important' },
    '.MuiDialog-container': { display: 'block !important', height: 'auto !important' },
    '.MuiDialog-paper': {
      maxHeight: 'none !important',
      boxShadow: 'none !important',
      margin: '0 !important',
    },
  },
};
