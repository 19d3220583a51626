import { type EsignDocument, isPending } from '@gatehouse/contract/esign';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { useListFilesQuery } from '#api/esign.ts';
import { Fact } from '#ui/facts.tsx';
import { Loadable } from '#ui/loadable.tsx';
import { ResendAction } from './resend-action.tsx';

/** The rental's documents and whether they are signed. */
export function EsignRow({ ledger, id }: { ledger: Ledger; id: string }) {
  const files = useListFilesQuery(ledger.tenantId);
  const documents = files.data?.filter(({ ledgerId }) => ledgerId === ledger.id);
  const isMissing = documents?.some((document) => isPending(document));
  return (
    <Fact
      label="E-sign Status (Required)"
      id={id}
      state={isMissing === undefined ? 'none' : isMissing ? 'missing' : 'done'}
      action={<ResendAction ledger={ledger} isPending={isMissing === true} />}
    >
      <Loadable load={{ ...files, data: documents }} failure="The documents could not be loaded.">
        {(loaded) => (loaded.length === 0 ? 'Nothing to E-sign' : <Documents documents={loaded} />)}
      </Loadable>
    </Fact>
  );
}

function Documents({ documents }: { documents: EsignDocument[] }) {
  return (
    <ul>
      {documents.map((document) => (
        <li key={document.formId} className={isPending(document) ? '' : 'text-text'}>
          {document.formName}:{' '}
          <span className="font-normal whitespace-nowrap">
            {isPending(document) ? 'Needs\u00a0E-sign' : document.envelopeStatus}
          </span>
        </li>
      ))}
    </ul>
  );
}
