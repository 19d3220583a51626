import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { getFacilityFile } from '@gatehouse/contract/office/settings';
import {
  Button,
  GlobalStyles,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { BooleanInput, DateInput, SelectInput, TextInput, required } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';
import type { FormReader } from './form-reader.ts';
import { Money } from './format.tsx';
import { MoneyInput } from './money-input.tsx';
import { Sum, day } from './outcome.tsx';
import { UnitInput } from './unit-input.tsx';
import type { Body, Reply } from './verb-dialog.tsx';

/** What a rental is quoted for and begun with, whosever it is. */
export type QuoteTerms = Omit<Body<'rentals.moveIn'>, 'tenantId'>;

/** A quote that is taken by a move-in, with what its first bill must come to. */
export type TakenQuote = { terms: QuoteTerms; total: number };

/** What a rental begins with. */
export function Terms({ locationCode }: { locationCode: string }) {
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
      <DateInput source="on" label="From" validate={required('Choose the day.')} />
      <UnitInput locationCode={locationCode} />
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
export function Quote({ quote: { movedInOn, rate, charges, total, ledgers } }: { quote: Quoted }) {
  const hasDiscount = charges.some(({ discount }) => discount > 0);
  const hasTax = charges.some(({ tax1, tax2 }) => tax1 + tax2 > 0);
  return (
    <>
      <GlobalStyles styles={printed} />
      <Typography>
        {`Unit ${ledgers[0]?.unitName ?? ''} from ${day(movedInOn)} at ${formatMoney(rate)} a month.`}
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

export function PrintButton() {
  return <Button onClick={() => window.print()}>Print</Button>;
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

/** The terms of a form, without whose they are. */
export function termsOf(form: FormReader): QuoteTerms {
  return {
    unit: form.text('unit'),
    on: form.text('on'),
    isTaxed: form.isYes('isTaxed'),
    ...form.optionalAmount('rate'),
    ...form.optionalText('discountPlanId'),
    ...form.optionalText('protectionPlanId'),
    ...form.optionalText('gateCode'),
  };
}

/** Terms as their form is filled in. */
export function typedOf({ rate, ...terms }: QuoteTerms): FieldValues {
  return { ...terms, ...(rate !== undefined && { rate: rate.toFixed(2) }) };
}
