import type { ShownVehicle } from '@gatehouse/contract/office/tenants';
import { getPaperOfRental } from '@gatehouse/contract/office/vehicle-papers';
import { paperKinds } from '@gatehouse/contract/vehicle-papers';
import { Stack } from '@mui/material';
import { call } from '#api/call.ts';
import { day } from '#parts/outcome.tsx';
import { PaperButton } from '#parts/paper-button.tsx';

/** What a rental stores: vehicles and vessels with their papers, which are saved, never shown. */
export function Vehicles({ vehicles, unitName }: { vehicles: ShownVehicle[]; unitName: string }) {
  if (vehicles.length === 0) return null;
  return (
    <Stack sx={{ mt: 2, p: 0, gap: 1 }} component="ul" aria-label={`Vehicles in ${unitName}`}>
      {vehicles.map(({ ledgerId, vehicleId, licensePlate, description, papers }) => (
        <Stack
          key={vehicleId ?? ledgerId}
          component="li"
          direction="row"
          sx={{ columnGap: 2, flexWrap: 'wrap', alignItems: 'center' }}
        >
          <span>{[description, licensePlate].filter(Boolean).join(', ') || 'Vehicle'}</span>
          {papers.map(({ kind, expiresOn }) => (
            <PaperButton
              key={kind}
              label={`${paperKinds[kind]()}, until ${day(expiresOn)}`}
              name={`${paperKinds[kind]()}, until ${day(expiresOn)}, of ${description || unitName}`}
              read={() =>
                call(getPaperOfRental, {
                  params: { ledgerId, paperKind: kind },
                  query: vehicleId === null ? {} : { vehicleId },
                })
              }
            />
          ))}
        </Stack>
      ))}
    </Stack>
  );
}
