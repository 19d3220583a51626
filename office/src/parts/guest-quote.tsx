import type { UnitRow } from '@gatehouse/contract/office/units';
import { Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { FormDataConsumer, TextInput } from 'react-admin';
import type { FieldValues } from 'react-hook-form';
import { AddTenantDialog } from './add-tenant.tsx';
import { FacilityInput, useUsualFacility } from './facility-input.tsx';
import { PrintButton, Quote, type TakenQuote, Terms, termsOf } from './quote.tsx';
import { todayHere } from './today-here.ts';
import { VerbButton } from './verb-dialog.tsx';

/**
 * A quote for somebody who has no tenant record; the record is made, with what was typed, once the
 * quote is taken.
 */
export function GuestQuote({ unit }: { unit?: Pick<UnitRow, 'name' | 'locationCode'> }) {
  const usual = useUsualFacility();
  const [taken, setTaken] = useState<{ quote: TakenQuote; typed: FieldValues } | null>(null);
  return (
    <>
      <VerbButton
        verb="rentals.mailQuote"
        label="Quote"
        actLabel="Mail the quote"
        explanation="What a move-in would charge, to the cent, without a tenant record. Nothing is reserved or posted."
        defaultValues={{
          locationCode: unit?.locationCode ?? usual,
          on: todayHere(),
          isTaxed: false,
          ...(unit && { unit: unit.name }),
        }}
        locationOf={(form) => form.text('locationCode')}
        toBody={(form) => ({
          ...termsOf(form),
          ...form.optionalText('firstName'),
          ...form.optionalText('email'),
        })}
        describe={(quote, isDone) => (
          <Stack sx={{ gap: 1.5 }}>
            <Quote quote={quote} />
            <Typography className="not-printed">
              {quote.to === null
                ? 'With a first name and an email it can be mailed.'
                : `It ${isDone ? 'is' : 'can be'} mailed to ${quote.to}.`}
            </Typography>
          </Stack>
        )}
        canAct={({ to }) => to !== null}
        previewActions={({ body, locationCode }, { total }, close) => (
          <>
            <PrintButton />
            <Button
              onClick={() => {
                const { firstName, email, tenantId: _, ...terms } = body;
                close();
                setTaken({ quote: { terms, total }, typed: { locationCode, firstName, email } });
              }}
            >
              Add tenant
            </Button>
          </>
        )}
      >
        <FacilityInput />
        <FormDataConsumer>
          {({ formData }) => <Terms locationCode={String(formData['locationCode'] ?? '')} />}
        </FormDataConsumer>
        <TextInput source="firstName" label="First name" helperText="To mail the quote." />
        <TextInput source="email" label="Email" type="email" helperText="To mail the quote." />
      </VerbButton>
      {taken && <AddTenantDialog {...taken} onClose={() => setTaken(null)} />}
    </>
  );
}
