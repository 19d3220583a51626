import { SelectInput, required } from 'react-admin';
import { useFacilityInView } from '#api/facility.ts';
import { useSession } from '#api/session.ts';

/** The facility in view, or the member's first one. */
export function useUsualFacility(): string {
  const { me } = useSession();
  const [inView] = useFacilityInView();
  return inView || (me?.facilities[0]?.locationCode ?? '');
}

/** One of the member's facilities, by its location code. */
export function FacilityInput() {
  const { me } = useSession();
  return (
    <SelectInput
      source="locationCode"
      label="Facility"
      validate={required()}
      choices={(me?.facilities ?? []).map(({ locationCode, name }) => ({
        id: locationCode,
        name: `${locationCode} ${name}`,
      }))}
    />
  );
}
