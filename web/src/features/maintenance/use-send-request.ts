import type { Ledger } from '@gatehouse/contract/ledgers';
import { createMaintenanceRequest } from '@gatehouse/contract/maintenance';
import { t } from '@gatehouse/language/t';
import { useState } from 'react';
import { call, CallError, facilityPath } from '#api/call.ts';
import { type Photo, PhotoRefused, PhotoTooLarge, readPhoto } from '#api/photo.ts';
import { useRequester } from '#api/requester.ts';
import { uploadTransport } from '#api/upload.ts';
import { getSession } from '#session/session.ts';
import { type MaintenanceValues, requestBody } from './request-body.ts';

/** A request that the server has taken in; `imageId` is its photo, as it was kept. */
export type Sent = { reference: string; tenantId: string; imageId: string | undefined };

/**
 * Sends maintenance requests for the chosen rental; `progress` is how much of a photo is sent, from
 * 0 to 1, null while none is.
 */
export function useSendRequest(ledger: Ledger | undefined) {
  const [progress, setProgress] = useState<number | null>(null);
  const requester = useRequester(ledger);

  async function send(
    values: MaintenanceValues,
    file: File | null,
    idempotencyKey: string,
  ): Promise<Sent> {
    if (ledger === undefined) throw new Error('a checked form has a unit');
    const begunIn = getSession()?.token;
    const photo = file && (await read(file));
    const body = requestBody(values, ledger, requester, photo);
    if (photo) setProgress(0);
    try {
      const { reference, imageId } = await call(
        createMaintenanceRequest,
        { params: facilityPath(), body },
        { idempotencyKey, begunIn, ...(photo && { transport: uploadTransport(setProgress) }) },
      );
      return { reference, tenantId: ledger.tenantId, imageId };
    } finally {
      setProgress(null);
    }
  }
  return { send, progress };
}

/** The photo as it is sent. Refuses what cannot be sent in the form's own way. */
async function read(file: File): Promise<Photo> {
  try {
    return await readPhoto(file);
  } catch (error) {
    if (error instanceof PhotoRefused) throw new CallError('refused', 415, error.message);
    const message =
      error instanceof PhotoTooLarge
        ? t('The photo is too large. Please choose a smaller one.')
        : t('The photo could not be read. Please choose another.');
    throw new CallError('refused', 413, message);
  }
}
