import { t } from '@gatehouse/language/t';
import { callAction, questions, type FacilityContact } from './call-facility.ts';
import { hello, paragraph, type Email } from './email.ts';

/** A document that everybody has signed; the mail has its signed copy attached. */
export type MailedCopy = {
  facility: FacilityContact;
  name: string;
  documentName: string;
  unitName: string;
};

/** Mails a signer the signed copy. */
export function documentSignedEmail({ facility, name, documentName, unitName }: MailedCopy): Email {
  return {
    subject: t('Signed: {documentName}', { documentName }),
    blocks: [
      hello(name),
      paragraph(
        t(
          '“{documentName}” for unit {unitName} is signed. Your copy is attached. Its last page says who signed it, when and from where.',
          { documentName, unitName },
        ),
      ),
      paragraph(questions(facility.phone)),
      callAction(facility.phone),
    ],
  };
}
