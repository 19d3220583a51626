import { createHash, randomUUID } from 'node:crypto';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import { FilesUnavailable } from '#adapters/files/files.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { notFound, Refusal } from '#errors/refusal.ts';
import type { Photo } from './photo.ts';

/** Photos of one tenant record in 24 hours. */
const PHOTOS_A_DAY = 20;
const DAY_MS = 24 * 3600 * 1000;
/** After this time a stored file either has its row or will never have one. */
const SWEEP_SECONDS = 3600;

/** The image in a request body. */
export type GivenImage = { imageData: string; file?: string | null | undefined };

/** What decodes is loaded with the first photo: a start need not wait for it. */
export const loadDecoder = () => import('./photo.ts');

/** A photo that was checked and encoded but not stored yet. */
export type PreparedImage = {
  id: string;
  tenantId: string;
  fileKey: string;
  fileName: string | null;
  photo: Photo;
};

/**
 * Checks an image completely before anything is stored. Refuses as readPhoto does, and with 429
 * above the day's limit.
 */
export async function prepareImage(
  ctx: Context,
  tenantId: string,
  given: GivenImage,
): Promise<PreparedImage> {
  await checkDaysNumber(ctx, ctx.db, tenantId);
  const { readPhoto } = await loadDecoder();
  const photo = await readPhoto(tenantId, given.imageData);
  return { id: randomUUID(), tenantId, fileKey: randomUUID(), fileName: given.file || null, photo };
}

/** A file that is to be stored; `fileKey` is a new UUID. */
export type NewFile = { fileKey: string; bytes: Buffer; contentType: string };

/**
 * Stores a file and then runs `work`, which adds the row, in a transaction. A file whose
 * work was refused, or that a crash left without its row, is removed by a job that is queued before
 * the first byte is written: for a while there may be a file without a row, but never a row without
 * its file. Refuses with 503 when the store is unavailable.
 */
export async function withFile<T>(
  ctx: Context,
  { fileKey, bytes, contentType }: NewFile,
  work: (trx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  await ctx.db.transaction().execute((trx) =>
    ctx.enqueue(trx, {
      name: 'sweep-file',
      data: { key: fileKey },
      afterSeconds: SWEEP_SECONDS,
    }),
  );
  await ctx.files.put(fileKey, bytes, contentType).catch((error: unknown) => unusable(ctx, error));
  return ctx.db.transaction().execute(work);
}

/**
 * Adds the row of a prepared image. Refuses with 429 above the day's limit, also for concurrent
 * calls.
 */
export async function insertImage(
  ctx: Context,
  trx: DatabaseTransaction,
  image: PreparedImage,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`photos of ${image.tenantId}`}, 0))`.execute(
    trx,
  );
  await checkDaysNumber(ctx, trx, image.tenantId);
  const { bytes, contentType, width, height } = image.photo;
  await trx
    .insertInto('images')
    .values({
      id: image.id,
      tenant_id: image.tenantId,
      file_name: image.fileName,
      content_type: contentType,
      bytes: bytes.length,
      width,
      height,
      file_key: image.fileKey,
      created_at: ctx.clock.now(),
    })
    .execute();
}

/**
 * Stores an image of a tenant record and returns its id. Refuses as prepareImage and withFile do.
 */
export async function addImage(ctx: Context, tenantId: string, given: GivenImage): Promise<string> {
  const image = await prepareImage(ctx, tenantId, given);
  await withFile(ctx, newFileOf(image), (trx) => insertImage(ctx, trx, image));
  return image.id;
}

/** The file of a prepared image. */
export function newFileOf({ fileKey, photo }: PreparedImage): NewFile {
  return { fileKey, bytes: photo.bytes, contentType: photo.contentType };
}

/** An image of a tenant record as a data URL. Refuses as readImage does. */
export async function getImageData(
  ctx: Context,
  tenantId: string,
  imageId: string,
): Promise<string> {
  const { bytes, contentType } = await readImage(ctx, tenantId, imageId);
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

/**
 * An image of a tenant record. Refuses with 404 one that is missing or another record's, with 503
 * while the store is unavailable.
 */
export async function readImage(
  ctx: Context,
  tenantId: string,
  imageId: string,
): Promise<{ bytes: Buffer; contentType: string }> {
  const row = await ctx.db
    .selectFrom('images')
    .select(['file_key', 'content_type'])
    .where('id', '=', imageId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return { bytes: await readFile(ctx, row.file_key), contentType: row.content_type };
}

type FileContext = Pick<Context, 'files' | 'log'>;

/** A stored file that has a row. Refuses with 503 while the store is unavailable. */
export async function readFile(ctx: FileContext, fileKey: string): Promise<Buffer> {
  const bytes = await ctx.files.get(fileKey).catch((error: unknown) => unusable(ctx, error));
  if (bytes === null) throw new Error(`the file ${fileKey} is missing`);
  return bytes;
}

/** The same of a file whose SHA-256 is kept; throws if the stored file was changed. */
export async function readUnchanged(
  ctx: FileContext,
  fileKey: string,
  hash: Buffer,
): Promise<Buffer> {
  const bytes = await readFile(ctx, fileKey);
  if (!createHash('sha256').update(bytes).digest().equals(hash))
    throw new Error(`the file ${fileKey} was changed`);
  return bytes;
}

/** Removes those of the files that have no row. */
export async function removeUnkeptFiles(ctx: Context, keys: string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('kept_files')
    .select('file_key')
    .where('file_key', 'in', keys)
    .execute();
  const kept = new Set(rows.map((row) => row.file_key));
  for (const key of keys) if (!kept.has(key)) await ctx.files.remove(key);
}

async function checkDaysNumber({ clock }: Context, db: Database, tenantId: string): Promise<void> {
  const dayAgo = clock.now().getTime() - DAY_MS;
  const twentieth = await db
    .selectFrom('images')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .where('created_at', '>', new Date(dayAgo))
    .orderBy('created_at', 'desc')
    .offset(PHOTOS_A_DAY - 1)
    .limit(1)
    .executeTakeFirst();
  if (twentieth === undefined) return;
  const seconds = Math.ceil((twentieth.created_at.getTime() - dayAgo) / 1000);
  throw new Refusal(
    429,
    t('You can send {most} photos a day. Please try again tomorrow.', { most: PHOTOS_A_DAY }),
    seconds,
  );
}

function unusable(ctx: FileContext, error: unknown): never {
  if (!(error instanceof FilesUnavailable)) throw error;
  ctx.log.error({ err: error.cause }, 'the store of the photos is unavailable');
  throw new Refusal(
    503,
    t('Photos cannot be stored or shown at the moment. Please try again later.'),
  );
}
