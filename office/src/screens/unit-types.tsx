import type { FacilityFile } from '@gatehouse/contract/office/settings';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { Stack, Typography } from '@mui/material';
import { ActionButton } from '#parts/action-dialog.tsx';
import { Section } from '#parts/section.tsx';

/** The types of a facility's units, each with its new name for all of them. */
export function UnitTypes({
  facility: { locationCode, unitTypes },
  onChange,
}: {
  facility: FacilityFile;
  onChange: () => void;
}) {
  return (
    <Section title="Unit types">
      <Typography color="text.secondary" sx={{ mb: 1 }}>
        A new type comes with the first unit that has it.
      </Typography>
      <Stack component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {unitTypes.map(({ name, units }) => (
          <Stack
            key={name}
            component="li"
            direction="row"
            sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
          >
            <span>{`${name}: ${units} ${units === 1 ? 'unit' : 'units'}`}</span>
            <ActionButton
              action={officeVerbs['units.renameType']}
              label="Rename"
              explanation={`All units of ${name}, from now on. The name of another type joins both.`}
              given={{ locationCode, typeName: name }}
              onDone={onChange}
            />
          </Stack>
        ))}
        {unitTypes.length === 0 && <Typography component="li">There is no unit yet.</Typography>}
      </Stack>
    </Section>
  );
}
