import type { Ledger } from '@gatehouse/contract/ledgers';
import { contentsTypes, parseContents } from '@gatehouse/contract/unit-contents';
import { t } from '@gatehouse/language/t';
import { useGetUnitContentsQuery } from '#api/unit-contents.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { ContentsAction } from './contents-action.tsx';

/** What is stored in the unit. */
export function UnitContentsRow({ ledger, id }: { ledger: Ledger; id: string }) {
  const load = useGetUnitContentsQuery(ledger.id);
  const contents = load.data && parseContents(load.data.contents);
  const numbers = contents && numbersOf(contents, ledger);
  return (
    <Fact
      label={t('Unit Contents (Required)')}
      id={id}
      state={contents === undefined ? 'none' : contents === null ? 'missing' : 'done'}
      saved={load.data?.contents}
      details={numbers && <p className="wrap-anywhere">{numbers}</p>}
      action={load.data && <ContentsAction ledger={ledger} contents={load.data.contents} />}
    >
      <Loadable
        load={{ ...load, data: contents }}
        failure={t('The unit contents could not be loaded.')}
      >
        {(loaded) =>
          loaded === null ? (
            <span className="inline-block">{t('Not entered')}</span>
          ) : (
            <>
              <span>{contentsTypes[loaded.type]()}</span>
              {loaded.type !== 'none' && ledger.vehicle?.description && (
                <span className="font-normal">{`\u00a0·\u00a0${ledger.vehicle.description}`}</span>
              )}
            </>
          )
        }
      </Loadable>
    </Fact>
  );
}

/** The number of a boat or vehicle and its plate. */
function numbersOf(
  { type, value }: NonNullable<ReturnType<typeof parseContents>>,
  { vehicle }: Ledger,
): string {
  if (type === 'none') return '';
  const number = value !== '' && `${type === 'boat' ? 'HIN' : 'VIN'} ${value}`;
  return [number, vehicle && unbroken(vehicle.licensePlate)].filter(Boolean).join('\u00a0·\u00a0');
}

/** Kept on one line: no-break spaces, and a word joiner after a hyphen. */
function unbroken(plate: string): string {
  return plate.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060');
}
