import { doEach } from '#context/each.ts';
import { handleGatewayEvent as handle } from '#features/money/gateway-events/gateway-events.ts';
import { runImport } from '#features/desk/office/imports.ts';
import { removeUnkeptFiles } from '#features/base/images/images.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { resendDocuments } from '#features/service/esign/resend.ts';
import { sealDocument } from '#features/service/esign/signed-copy.ts';
import { deliverEvents } from '#features/service/requests/deliver.ts';
import { sendTexts } from '#features/desk/text-sending/send.ts';
import { forAboutADay, type JobKind } from './job.ts';

/** Delivers an event of a request to the operator's webhook. */
export const deliverEvent: JobKind<'deliver-event'> = {
  name: 'deliver-event',
  // A delivery ends within 20 seconds, and those of a batch run concurrently, so the batch ends
  // within its lease. Events are given up by their age, so the retry limit must be high enough not
  // to end them earlier.
  options: {
    ...forAboutADay,
    policy: 'exclusive',
    retryLimit: 200,
    expireInSeconds: 70,
    batchSize: 5,
  },
  run: (ctx, batch) =>
    deliverEvents(
      ctx,
      batch.map(({ eventId }) => eventId),
    ),
};

/**
 * Sends queued mails, those to one domain one after another: many mails to it, or a mail server of
 * it that is slow, leave the other workers to the rest.
 */
export const deliverMail: JobKind<'deliver-mail'> = {
  name: 'deliver-mail',
  // A mail ends within 20 seconds, so within its lease. Mails are given up by their age, so the
  // retry limit must be high enough not to end them earlier.
  options: {
    ...forAboutADay,
    retryLimit: 200,
    expireInSeconds: 70,
    batchSize: 1,
    workers: 3,
    workersOfGroup: 1,
  },
  run: (ctx, batch) =>
    sendMails(
      ctx,
      batch.map(({ mailId }) => mailId),
    ),
};

/** Hands queued text messages over, each once at most. */
export const sendText: JobKind<'send-text'> = {
  name: 'send-text',
  // A call ends within 20 seconds, so within its lease: a text that is found under way by a later
  // job is of one that has ended.
  options: { ...forAboutADay, expireInSeconds: 70, batchSize: 1, workers: 2 },
  run: (ctx, batch) =>
    sendTexts(
      ctx,
      batch.map(({ textId }) => textId),
    ),
};

/** Handles an event of the gateway. */
export const handleGatewayEvent: JobKind<'handle-gateway-event'> = {
  name: 'handle-gateway-event',
  // The queue fetches a batch of one only once a second, and each payment causes several events.
  // Each event calls the gateway, most of whose capacity must stay free for payments.
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: batch.length, what: 'events could not be handled' };
    await doEach(batch, all, ({ eventId }) => handle(ctx, eventId));
  },
};

/**
 * Sends a rental's documents to sign again; the request's reference makes it idempotent at a
 * signing service.
 */
export const resendEnvelopes: JobKind<'resend-envelopes'> = {
  name: 'resend-envelopes',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: batch.length, what: 'rentals’ documents could not be sent again' };
    await doEach(batch, all, (request) => resendDocuments(ctx, request));
  },
};

/** Makes and mails the signed copy of a document. */
export const sealSignedDocument: JobKind<'seal-document'> = {
  name: 'seal-document',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 5 },
  async run(ctx, batch) {
    const all = { atOnce: 1, what: 'signed copies could not be made' };
    await doEach(batch, all, ({ documentId }) => sealDocument(ctx, documentId));
  },
};

/**
 * Imports lease sheets, or says what an import of them does. One of a process that was killed is
 * begun again: what it had not committed is undone then.
 */
export const importLeases: JobKind<'import-leases'> = {
  name: 'import-leases',
  options: {
    retryLimit: 10,
    retryDelay: 5,
    heartbeatSeconds: 30,
    expireInSeconds: 3600,
    batchSize: 1,
  },
  async run(ctx, batch) {
    for (const { importId } of batch) await runImport(ctx, importId);
  },
};

/** Removes a file that has no row, because of a refusal, a removal or a crash. */
export const sweepFile: JobKind<'sweep-file'> = {
  name: 'sweep-file',
  options: { ...forAboutADay, expireInSeconds: 120, batchSize: 20 },
  run: (ctx, batch) =>
    removeUnkeptFiles(
      ctx,
      batch.map(({ key }) => key),
    ),
};
