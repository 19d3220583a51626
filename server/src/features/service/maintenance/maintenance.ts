import { createHash } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { Reply } from '@gatehouse/contract/endpoint';
import type {
  createMaintenanceRequest,
  MaintenanceRequestParams,
} from '@gatehouse/contract/maintenance';
import { formTypes } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { maintenanceRequestEmail } from '#emails/staff/maintenance-request.ts';
import {
  insertImage,
  newFileOf,
  prepareImage,
  withFile,
  type PreparedImage,
} from '#features/base/images/images.ts';
import { findRequesters, type Requester } from '#features/service/requests/requester.ts';
import {
  fileRequest,
  findEarlier,
  type Filed,
  type NewRequest,
} from '#features/service/requests/requests.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import type { Caller } from '#http/guard.ts';
import { notFound } from '#errors/refusal.ts';

type Receipt = Reply<typeof createMaintenanceRequest>;

/**
 * Asks the facility for a repair, with or without a photo: both are stored or neither, and only
 * after all checks. Refuses with 404 a ledger that the caller does not rent now and a tenant that
 * is not the ledger's, and a photo as prepareImage and withFile do.
 */
export async function requestMaintenance(
  ctx: Context,
  caller: Caller,
  params: MaintenanceRequestParams,
  idempotencyKey: string | undefined,
): Promise<Receipt> {
  const requester = await findOwn(ctx, caller, params);
  const { issueType, issueDescription, imageData } = params;
  const given = {
    issueType,
    issueDescription,
    image: imageData == null ? null : digestOf(imageData),
  };
  const asked = {
    kind: formTypes.maintenance,
    requester,
    asker: { userId: caller.userId, idempotencyKey },
    given,
  };
  const earlier = await findEarlier(ctx, ctx.db, asked);
  if (earlier !== null) return receiptOf(earlier);

  // Counted before it is decoded, whatever becomes of it: a refused photo costs as much.
  if (imageData != null) {
    const key = keyOf(ctx, 'photo', requester.tenantId);
    await countLimited(
      ctx,
      ctx.db,
      [{ name: 'photos-an-hour', key }],
      t(
        'You have sent several photos within the last hour. Please try again later, send the request without a photo, or call your facility.',
      ),
    );
  }
  const image =
    imageData == null
      ? null
      : await prepareImage(ctx, requester.tenantId, { imageData, file: params.file });
  const request = {
    ...asked,
    facts: {
      issueType,
      description: issueDescription,
      photo: image && (image.fileName ?? 'without a name'),
    },
    email: maintenanceRequestEmail,
    imageId: image?.id ?? null,
  };
  const work = (trx: DatabaseTransaction) => fileWithImage(ctx, trx, request, image);
  return receiptOf(
    image === null
      ? await ctx.db.transaction().execute(work)
      : await withFile(ctx, newFileOf(image), work),
  );
}

/** A repeated request adds no photo. */
async function fileWithImage<Facts extends object>(
  ctx: Context,
  trx: DatabaseTransaction,
  request: NewRequest<Facts>,
  image: PreparedImage | null,
): Promise<Filed> {
  const filed = await fileRequest(ctx, trx, request);
  if (image !== null && !filed.isRepeated) await insertImage(ctx, trx, image);
  return filed;
}

async function findOwn(
  { db, clock }: Context,
  { tenantIds, timeZone }: Caller,
  params: MaintenanceRequestParams,
): Promise<Requester> {
  const [requester] = await findRequesters(db, tenantIds, [params.ledgerId]);
  if (
    requester === undefined ||
    !isCurrentOn(requester.movedOutOn, calendarDateIn(timeZone, clock.now()))
  )
    throw notFound();
  if ((params.tenantId?.toLowerCase() ?? requester.tenantId) !== requester.tenantId)
    throw notFound();
  return requester;
}

function digestOf(imageData: string): string {
  return createHash('sha256').update(imageData).digest('base64');
}

function receiptOf({ reference, imageId }: Filed): Receipt {
  return { success: true, reference, ...(imageId !== null && { imageId }) };
}
