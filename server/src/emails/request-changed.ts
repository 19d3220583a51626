import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

type Change = {
  firstName: string;
  reference: string;
  /** The title of the request, such as "Maintenance request, unit A101". */
  about: string;
  facility: FacilityContact;
  /** The reply of staff, null where they only set the status. */
  reply: string | null;
  /** The new status in words, null where it did not change. */
  status: string | null;
};

/** Notifies a tenant of a reply or a new status of a request. */
export function requestChangedEmail({
  firstName,
  reference,
  about,
  facility,
  reply,
  status,
}: Change): Email {
  return {
    subject:
      reply === null
        ? t('Your request {reference}: {status}', { reference, status: status ?? '' })
        : t('Reply to your request {reference}', { reference }),
    blocks: [
      hello(firstName),
      ...(reply === null
        ? [
            paragraph(
              t('Your request {reference} ({about}) at {name} has a new status.', {
                reference,
                about,
                name: facility.name,
              }),
            ),
          ]
        : [
            paragraph(
              t('{name} replied to your request {reference} ({about}):', {
                name: facility.name,
                reference,
                about,
              }),
            ),
            paragraph(reply),
          ]),
      ...(status === null ? [] : [paragraph(t('Status: {status}', { status }))]),
      action(t('See your requests'), '/account#requests'),
      paragraph(
        t('This email cannot be answered. If something is still open, {ask}.', {
          ask: howToAsk(facility),
        }),
      ),
    ],
  };
}
