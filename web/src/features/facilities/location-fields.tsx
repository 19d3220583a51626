import type { Location } from '@gatehouse/contract/facilities';
import { t } from '@gatehouse/language/t';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { CallError } from '#api/call.ts';
import { getRemembered } from '#session/session.ts';
import { Alert } from '#ui/alert.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { fetchLocations, locationsIn, rememberedAmong, statesOf } from './locations.ts';

/** The sentences for the two fields, by their names in the form. */
type LocationErrors = { state?: string; locationCode?: string };

type Props = { errors: LocationErrors; onCorrect: (name: keyof LocationErrors) => void };

/**
 * The facility picker: the form's fields `state` and `locationCode`, state first. The location that
 * this device remembers is one line with a way to change it, from the first paint on
 * (`known-location`, before-paint.ts). By `call` only, so that a visitor's page loads no query
 * library.
 */
export function LocationFields({ errors, onCorrect }: Props) {
  const { locations, failure, retry } = useLocations();
  const [chosen, choose] = useState<{ state: string; code: string }>();
  const { state, code } = chosen ?? rememberedAmong(locations ?? []);
  const offered = locationsIn(locations ?? [], state);
  const label = offered.find(({ value }) => value === code)?.label;
  const isKnown =
    chosen === undefined &&
    failure === '' &&
    Boolean(locations === undefined ? getRemembered()?.locationCode : label);
  // Only then: the HTML of the page, which has its place, is small.
  const isMounted = useSyncExternalStore(
    noChanges,
    () => true,
    () => false,
  );
  const picker = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.documentElement.classList.toggle('known-location', isKnown);
  }, [isKnown]);

  function change() {
    flushSync(() => choose({ state, code }));
    picker.current?.querySelector('select')?.focus();
  }
  return (
    <>
      {failure !== '' && (
        <Alert tone="bad">
          <p>{failure}</p>
          <Button variant="secondary" className="mt-3" onClick={retry}>
            {t('Try again')}
          </Button>
        </Alert>
      )}
      <div className="known-location-line">
        {isMounted && isKnown && (
          <div className="flex items-center justify-between gap-3">
            <p className="min-w-0 text-15">
              <span className="sr-only">{`${t('Your location')}: `}</span>
              <span>{label}</span>
            </p>
            <Button variant="quiet" className="-mr-3" onClick={change}>
              <span>
                <span>{t('Change')}</span>
                <span className="sr-only"> {t('location')}</span>
              </span>
            </Button>
          </div>
        )}
      </div>
      <div ref={picker} className="location-picker grid gap-3">
        <div className="relative">
          <SelectField
            label={t('What state is your facility located?')}
            name="state"
            placeholder={locations || failure ? t('Select state') : ''}
            options={statesOf(locations ?? [])}
            value={state}
            disabled={locations === undefined}
            onChange={(event) => {
              choose({ state: event.target.value, code: '' });
              onCorrect('state');
              onCorrect('locationCode');
            }}
            error={errors.state}
          />
          {locations === undefined && failure === '' && (
            <div className="pointer-events-none absolute bottom-0 left-3 flex h-12 items-center">
              <Spinner label={t('Loading locations…')} />
            </div>
          )}
        </div>
        <SelectField
          label={t('Select your location')}
          // The field itself cuts off how two of a street differ.
          hint={label ?? (errors.state && t('Choose the state first.'))}
          name="locationCode"
          placeholder={t('Select location')}
          options={offered}
          value={code}
          disabled={state === ''}
          onChange={({ target }) => {
            choose({ state, code: target.value });
            onCorrect('locationCode');
          }}
          // Without a state there is no location to choose.
          error={state === '' ? undefined : errors.locationCode}
        />
      </div>
    </>
  );
}

const noChanges = () => () => {};

/**
 * The facilities a visitor may pick: undefined while they load, with the sentence to show where
 * they did not.
 */
function useLocations() {
  const [locations, setLocations] = useState<Location[]>();
  const [failure, setFailure] = useState('');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const leaving = new AbortController();
    fetchLocations(leaving.signal).then(setLocations, (error: unknown) => {
      if (!leaving.signal.aborted)
        setFailure(error instanceof CallError ? error.message : String(error));
    });
    return () => leaving.abort();
  }, [attempt]);

  const retry = useCallback(() => {
    setFailure('');
    setAttempt((count) => count + 1);
  }, []);
  return { locations, failure, retry };
}
