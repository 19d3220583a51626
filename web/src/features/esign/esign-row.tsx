import { type EsignDocument, isPending } from '@gatehouse/contract/esign';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
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
      label={t('E-sign Status (Required)')}
      id={id}
      state={isMissing === undefined ? 'none' : isMissing ? 'missing' : 'done'}
      action={<ResendAction ledger={ledger} isPending={isMissing === true} />}
    >
      <Loadable
        load={{ ...files, data: documents }}
        failure={t('The documents could not be loaded.')}
      >
        {(loaded) =>
          loaded.length === 0 ? (
            <span>{t('Nothing to E-sign')}</span>
          ) : (
            <Documents documents={loaded} />
          )
        }
      </Loadable>
    </Fact>
  );
}

function Documents({ documents }: { documents: EsignDocument[] }) {
  return (
    <ul>
      {documents.map((document) => {
        const isMissing = isPending(document);
        const state = isMissing ? t('Needs\u00a0E-sign') : statusWord(document.envelopeStatus);
        return (
          <li key={document.formId} className={isMissing ? '' : 'text-text'}>
            <span>{`${document.formName}: `}</span>
            <span className="font-normal whitespace-nowrap">
              {document.isSignedHere ? (
                // A page of its own (web/src/sign), to which the router does not lead.
                <a href={`/sign/${document.formId}`} target="_self" className="underline">
                  {state}
                </a>
              ) : (
                state
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The server sends it in English. */
function statusWord(status: string): string {
  return language() === 'en' ? status : (statusWords[status] ?? status);
}

const statusWords: Record<string, string> = {
  Completed: t('Completed'),
  Declined: t('Declined'),
  Expired: t('Expired'),
};
