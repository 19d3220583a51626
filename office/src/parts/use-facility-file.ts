import { getFacilityFile, type FacilityFile } from '@gatehouse/contract/office/settings';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useSession } from '#api/session.ts';

/** The settings of one of the member's facilities, with its plans and types of units. */
export function useFacilityFile(locationCode: string): FacilityFile | undefined {
  const { me } = useSession();
  const facilityId = me?.facilities.find((one) => one.locationCode === locationCode)?.id ?? '';
  return useQuery({
    queryKey: ['settings', facilityId],
    enabled: facilityId !== '',
    queryFn: ({ signal }) => call(getFacilityFile, { params: { facilityId } }, signal),
  }).data;
}
