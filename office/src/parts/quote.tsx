import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import {
  Button,
  GlobalStyles,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import { SelectInput } from 'react-admin';
import { type FieldValues, useWatch } from 'react-hook-form';
import type { Body, Reply } from './action-dialog.tsx';
import { Money } from './format.tsx';
import { More } from './more.tsx';
import { Sum, day } from './outcome.tsx';
import { UnitInput } from './unit-input.tsx';
import { useFacilityFile } from './use-facility-file.ts';

/** What a rental is quoted for and begun with, whosever it is. */
type QuoteTerms = Omit<Body<MoveIn>, 'tenantId' | 'locationCode'>;
type MoveIn = (typeof officeVerbs)['rentals.moveIn'];

/** A quote that is taken by a move-in, with what its first bill must come to. */
export type TakenQuote = { terms: QuoteTerms; total: number };

/**
 * The inputs of what a rental begins with that are chosen from the facility's units and plans: of
 * the facility in the form where none is given.
 */
export function termInputs(locationCode?: string) {
  return {
    unit: <FreeUnit locationCode={locationCode} />,
    discountPlanId: <DiscountInput locationCode={locationCode} />,
    protectionPlanId: <ProtectionInput locationCode={locationCode} />,
  };
}

type OfPlace = { locationCode: string | undefined };

function useLocationCode({ locationCode }: OfPlace): string {
  const typed: unknown = useWatch({ name: 'locationCode' });
  return locationCode ?? (typeof typed === 'string' ? typed : '');
}

function FreeUnit(props: OfPlace) {
  return <UnitInput locationCode={useLocationCode(props)} />;
}

function DiscountInput(props: OfPlace) {
  const plans = useFacilityFile(useLocationCode(props))?.discountPlans.filter(
    ({ endedOn }) => endedOn === null,
  );
  if (plans === undefined || plans.length === 0) return null;
  return (
    <SelectInput
      source="discountPlanId"
      label="Discount"
      emptyText="None"
      choices={plans.map(({ id, name, takes }) => ({ id, name: `${name}: ${takes}` }))}
    />
  );
}

function ProtectionInput(props: OfPlace) {
  const plans = useFacilityFile(useLocationCode(props))?.protectionPlans.filter(
    ({ endedOn }) => endedOn === null,
  );
  if (plans === undefined || plans.length === 0) return null;
  return (
    <SelectInput
      source="protectionPlanId"
      label="Protection plan"
      emptyText="None"
      choices={plans.map(({ id, description, coverage, premium }) => ({
        id,
        name: `${description}, covers ${formatMoney(coverage)}: ${formatMoney(premium)} a month`,
      }))}
    />
  );
}

type Quoted = Pick<Reply<MoveIn>, 'movedInOn' | 'rate' | 'charges' | 'total' | 'ledgers'>;

/**
 * The first bill line by line: price, discount, taxes, sum. On a phone what makes a sum up is under
 * what it is for.
 */
export function Quote({ quote: { movedInOn, rate, charges, total, ledgers } }: { quote: Quoted }) {
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up('sm'));
  const isDiscounted = charges.some(({ discount }) => discount > 0);
  const isTaxed = charges.some(({ tax1, tax2 }) => tax1 + tax2 > 0);
  const hasDiscount = isWide && isDiscounted;
  const hasTax = isWide && isTaxed;
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
              <TableCell>
                <span>{description}</span>
                {!isWide && (isDiscounted || isTaxed) && (
                  <More>{partsOf({ price, discount, tax: sumDollars([tax1, tax2]) })}</More>
                )}
              </TableCell>
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

function partsOf({ price, discount, tax }: { price: number; discount: number; tax: number }) {
  return [
    formatMoney(price),
    ...(discount > 0 ? [`discount ${formatMoney(-discount)}`] : []),
    ...(tax > 0 ? [`tax ${formatMoney(tax)}`] : []),
  ].join(', ');
}

const action = officeVerbs['rentals.mailQuote'];

/** A quote before a rental is begun: of a tenant record, or of a guest without one. */
export const quoteProps = {
  action,
  label: 'Quote',
  actLabel: 'Mail the quote',
  describe: (quote: Reply<typeof action>, isDone: boolean) => (
    <Stack sx={{ gap: 1.5 }}>
      <Quote quote={quote} />
      <Typography className="not-printed">
        {quote.to === null
          ? 'With a first name and an email it can be mailed.'
          : `It ${isDone ? 'is' : 'can be'} mailed to ${quote.to}.`}
      </Typography>
    </Stack>
  ),
};

export function PrintButton() {
  return <Button onClick={() => window.print()}>Print</Button>;
}

/** Prints only the dialog, as a page. */
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

/** Terms as their form is filled in. */
export function typedOf({ rate, ...terms }: QuoteTerms): FieldValues {
  return { ...terms, ...(rate !== undefined && { rate: rate.toFixed(2) }) };
}
