import type { Ledger } from '@gatehouse/contract/ledgers';
import { contentsTypes, parseContents } from '@gatehouse/contract/unit-contents';
import { useGetUnitContentsQuery } from '#api/unit-contents.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { ContentsAction } from './contents-action.tsx';

/** What is stored in the unit. */
export function UnitContentsRow({ ledger, id }: { ledger: Ledger; id: string }) {
  const load = useGetUnitContentsQuery(ledger.id);
  const contents = load.data && parseContents(load.data.contents);
  return (
    <Fact
      label="Unit Contents (Required)"
      id={id}
      missing={contents === null}
      action={load.data && <ContentsAction ledger={ledger} contents={load.data.contents} />}
    >
      <Loadable load={{ ...load, data: contents }} failure="The unit contents could not be loaded.">
        {(loaded) => (loaded === null ? 'Not entered' : <Contents contents={loaded} ledger={ledger} />)}
      </Loadable>
    </Fact>
  );
}

function Contents({ contents, ledger }: { contents: NonNullable<ReturnType<typeof parseContents>>; ledger: Ledger }) {
  const { type, value } = contents;
  const number = type === 'boat' ? `HIN ${value}` : `VIN ${value}`;
  return (
    <>
      <p>{contentsTypes[type]}</p>
      {type !== 'none' && (
        <p className="text-13 font-normal text-balance break-words text-muted">
          {[
            value !== '' && number,
            ledger.vehicle && unbroken(ledger.vehicle.licensePlate),
            ledger.vehicle?.description,
          ]
            .filter(Boolean)
            .join('\u00a0· ')}
        </p>
      )}
    </>
  );
}

/** Kept on one line: no-break spaces, and a word joiner after a hyphen. */
function unbroken(plate: string): string {
  return plate.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060');
}
