import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

/** A document that waits for a signature; `endsOn` is the last day, as it is read. */
export type MailedDocument = {
  facility: FacilityContact;
  name: string;
  documentName: string;
  unitName: string;
  url: string;
  endsOn: string;
};

/** Mails a signer the link to a document. */
export function documentToSignEmail(mailed: MailedDocument): Email {
  const { facility, name, documentName, unitName, url, endsOn } = mailed;
  return {
    subject: t('Please sign: {documentName}', { documentName }),
    blocks: [
      hello(name),
      paragraph(
        t(
          '{facilityName} asks you to sign “{documentName}” for unit {unitName}. You can read and sign it on your phone or computer until {endsOn}:',
          { facilityName: facility.name, documentName, unitName, endsOn },
        ),
      ),
      action(t('Read and sign'), url),
      paragraph(
        t(
          'The link is yours: whoever has it can read the document and sign it. If you would rather have it on paper, say so there, or {ask}.',
          { ask: howToAsk(facility) },
        ),
      ),
    ],
  };
}
