import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#config.ts';
import { StartFault } from '#start-fault.ts';
import { keyId } from '#vault.ts';
import { writeSynced } from './synced-files.ts';

const FORMAT = 1;

const content = z.object({
  file: z.string().regex(/^(tables\/)?[a-z_.]+\.gz$/),
  rows: z.int().nonnegative(),
  /** Of the file as it lies there. */
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  product: z.literal('gatehouse'),
  format: z.literal(FORMAT),
  /** Of the Gatehouse that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** What had run on the database, in order. */
  migrations: z.array(z.string()),
  /** Which keys it takes to use it; never the keys. */
  keys: z.object({ data: z.array(z.string()), secret: z.string() }),
  tables: z.array(content.extend({ name: z.string(), columns: z.array(z.string()) })),
  /** Jobs that were not done. */
  jobs: content,
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  /** Where photos lay; those of a disk lie in the backup too, and are listed with their sizes. */
  photos: z.discriminatedUnion('store', [
    z.object({ store: z.literal('disk'), list: content, missing: z.array(z.string()) }),
    z.object({ store: z.literal('s3'), bucket: z.string(), prefix: z.string(), rows: z.int().nonnegative() }),
  ]),
});

/** What a backup says of itself, in `manifest.json`. It is written last: a folder without it was not finished. */
export type Manifest = z.infer<typeof manifest>;
/** A file of a backup, with what must be in it. */
export type Content = z.infer<typeof content>;

export const MANIFEST_FORMAT = FORMAT;
const MANIFEST_FILE = 'manifest.json';
const SIGNATURE_FILE = 'manifest.hmac';

/** Writes the manifest and what shows, to whoever has the SECRET_KEY, that nobody else wrote it. */
export async function writeManifest(folder: string, written: Manifest, secret: Buffer): Promise<void> {
  const text = `${JSON.stringify(written, null, 2)}\n`;
  await writeSynced(join(folder, SIGNATURE_FILE), `${signatureOf(text, secret).toString('hex')}\n`);
  await writeSynced(join(folder, MANIFEST_FILE), text);
}

/**
 * What the backup in a folder says of itself. Throws a StartFault for what is no backup of ours, was not finished, comes from
 * a newer version, or was changed by somebody without the SECRET_KEY that it was made under.
 * Answers whether it was made under the one given; where not, nobody can tell whether it was changed.
 */
export async function readManifest(
  folder: string,
  secret: Buffer,
): Promise<{ manifest: Manifest; isUnderOurSecret: boolean }> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartFault(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `There is no finished backup in ${folder}: it has no ${MANIFEST_FILE}. Give the folder whose name begins with gatehouse- and ends with Z.`
        : `The backup in ${folder} cannot be read (${code ?? 'unknown fault'}).`,
    );
  });
  const given = parsed(text, folder);
  const isUnderOurSecret = given.keys.secret === keyId(secret, 'secret');
  if (isUnderOurSecret && !(await isSigned(folder, text, secret)))
    throw new StartFault(`The ${MANIFEST_FILE} in ${folder} is not as it was written: the backup cannot be trusted.`);
  return { manifest: given, isUnderOurSecret };
}

function parsed(text: string, folder: string): Manifest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new StartFault(`The ${MANIFEST_FILE} in ${folder} is cut off or damaged: the backup cannot be used.`);
  }
  const outline = z.object({ product: z.literal('gatehouse'), format: z.number() }).safeParse(given);
  if (!outline.success) throw new StartFault(`What lies in ${folder} is no backup of Gatehouse.`);
  if (outline.data.format > FORMAT)
    throw new StartFault(`The backup in ${folder} was made by a newer version of Gatehouse; restore it with that one.`);
  const whole = manifest.safeParse(given);
  if (!whole.success)
    throw new StartFault(`The ${MANIFEST_FILE} in ${folder} is not as it was written: the backup cannot be trusted.`);
  return whole.data;
}

async function isSigned(folder: string, text: string, secret: Buffer): Promise<boolean> {
  const given = Buffer.from((await readFile(join(folder, SIGNATURE_FILE), 'utf8').catch(() => '')).trim(), 'hex');
  const right = signatureOf(text, secret);
  return given.length === right.length && timingSafeEqual(given, right);
}

function signatureOf(text: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('gatehouse backup\n').update(text).digest();
}

/** Throws a StartFault that names the keys of the backup that the settings lack (D28). */
export function checkKeys({ keys }: Manifest, { dataKeys }: Pick<Config, 'dataKeys'>): void {
  const ours = new Set(dataKeys.map((key) => keyId(key)));
  const missing = keys.data.filter((id) => !ours.has(id));
  if (missing.length > 0)
    throw new StartFault(
      `DATA_KEYS lacks what sealed the backup's license numbers, gate codes and gateway tokens: the key with the id ${missing.join(', and the one with the id ')}. Without it they could never be read again; add it to the end of DATA_KEYS.`,
    );
}
