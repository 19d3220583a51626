import { useId } from 'react';
import { TextInput, required } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { typedText } from './form-reader.ts';
import { useFacilityFile } from './use-facility-file.ts';

/** The type of new units: those of the facility in the form are suggested, another one is new. */
export function UnitTypeInput() {
  const list = useId();
  const types = useFacilityFile(typedText(useWatch({ name: 'locationCode' })))?.unitTypes ?? [];
  return (
    <>
      <TextInput
        source="typeName"
        label="Type"
        helperText="One of the facility's, or a new one such as Covered RV."
        validate={required()}
        slotProps={{ htmlInput: { list } }}
      />
      <datalist id={list}>
        {types.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}
