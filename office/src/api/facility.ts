import { useQueryClient } from '@tanstack/react-query';
import { localStorageStore, useStore } from 'react-admin';

/** What the office keeps on this device: preferences of lists, and the facility in view. */
export const preferences = localStorageStore('1', 'gatehouse-office');

const KEY = 'facility';

/** The location code of the facility in view, or an empty text for all of the member's. */
export function facilityInView(): string {
  return preferences.getItem<string>(KEY) ?? '';
}

/** The facility in view and how to change it: everything on the page is read again. */
export function useFacilityInView(): [string, (locationCode: string) => void] {
  const [locationCode, keep] = useStore(KEY, '');
  const queries = useQueryClient();
  return [
    locationCode,
    (next) => {
      keep(next);
      void queries.invalidateQueries();
    },
  ];
}
