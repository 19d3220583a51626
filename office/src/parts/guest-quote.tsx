import type { UnitRow } from '@gatehouse/contract/office/units';
import { Button } from '@mui/material';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { ActionButton } from './action-dialog.tsx';
import { AddTenantDialog } from './add-tenant.tsx';
import { FacilityInput, useUsualFacility } from './facility-input.tsx';
import { PrintButton, quoteProps, type TakenQuote, termInputs } from './quote.tsx';
import { todayAt } from './today-at.ts';

/**
 * A quote for a guest without a tenant record; the record is made, with what was typed, once the
 * quote is taken.
 */
export function GuestQuote({ unit }: { unit?: Pick<UnitRow, 'name' | 'locationCode'> }) {
  const usual = useUsualFacility();
  const locationCode = unit?.locationCode ?? usual;
  const [taken, setTaken] = useState<{ quote: TakenQuote; typed: FieldValues } | null>(null);
  return (
    <>
      <ActionButton
        {...quoteProps}
        explanation="What a move-in would charge, to the cent, without a tenant record. Nothing is reserved or posted."
        defaultValues={{
          locationCode,
          on: todayAt(locationCode),
          ...(unit && { unit: unit.name }),
        }}
        given={(form) => ({ locationCode: form.text('locationCode') })}
        inputs={termInputs()}
        canAct={({ to }) => to !== null}
        previewActions={(body, { total }, close) => (
          <>
            <PrintButton />
            <Button
              onClick={() => {
                const { firstName, email, locationCode, tenantId: _, ...terms } = body;
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
      </ActionButton>
      {taken && <AddTenantDialog {...taken} onClose={() => setTaken(null)} />}
    </>
  );
}
