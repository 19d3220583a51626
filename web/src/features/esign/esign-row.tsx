import { type EsignDocument, isPending } from '@gatehouse/contract/esign';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListFilesQuery } from '#api/esign.ts';
import { Chip } from '#ui/chip.tsx';
import { Fact } from '#ui/facts.tsx';
import { Icon } from '#ui/icons.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { ResendAction } from './resend-action.tsx';

/** The rental's documents and whether they are signed; one that waits for the tenant stands out by itself. */
export function EsignRow({ ledger, id }: { ledger: Ledger; id: string }) {
  const files = useListFilesQuery(ledger.tenantId);
  const documents = files.data?.filter(({ ledgerId }) => ledgerId === ledger.id);
  return (
    <Fact label="E-sign Status (Required)" id={id} action={<ResendAction ledger={ledger} />}>
      <Loadable load={{ ...files, data: documents }} failure="The documents could not be loaded.">
        {(loaded) => (loaded.length === 0 ? 'Nothing to E-sign' : <Documents documents={loaded} />)}
      </Loadable>
    </Fact>
  );
}

function Documents({ documents }: { documents: EsignDocument[] }) {
  return (
    <ul className="flex flex-col items-end gap-1 @max-[17.5rem]:items-start">
      {documents.map((document) => (
        <li
          key={document.formId}
          className="flex flex-wrap items-center justify-end gap-x-3 @max-[17.5rem]:justify-start"
        >
          {isPending(document) ? (
            <span className="text-bad">
              <Icon name="alert" className="mr-1.5 inline size-5 align-[-0.25em]" />
              {document.formName}
            </span>
          ) : (
            document.formName
          )}
          <Chip tone={isPending(document) ? 'bad' : 'good'}>
            {isPending(document) ? 'Needs E-sign' : document.envelopeStatus}
          </Chip>
        </li>
      ))}
    </ul>
  );
}
