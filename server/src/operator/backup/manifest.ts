import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#config/config.ts';
import { StartFault } from '#errors/start-fault.ts';
import { keyId } from '#crypto/vault.ts';
import { writeSynced } from './synced-files.ts';

const FORMAT = 1;

const content = z.object({
  file: z.string().regex(/^(tables\/)?[a-z_.]+\.gz$/),
  rows: z.int().nonnegative(),
  /** Of the file on the disk. */
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  product: z.literal('gatehouse'),
  format: z.literal(FORMAT),
  /** The version of Gatehouse that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The migrations of the database, in order. */
  migrations: z.array(z.string()),
  /** The ids of the keys that it needs; never the keys. */
  keys: z.object({ data: z.array(z.string()), secret: z.string() }),
  tables: z.array(content.extend({ name: z.string(), columns: z.array(z.string()) })),
  /** Unfinished jobs. */
  jobs: content,
  sequences: z.array(
    z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/), isCalled: z.boolean() }),
  ),
  /**
   * The store of the photos; those of a disk are part of the backup and listed with their sizes.
   */
  photos: z.discriminatedUnion('store', [
    z.object({ store: z.literal('disk'), list: content, missing: z.array(z.string()) }),
    z.object({
      store: z.literal('s3'),
      bucket: z.string(),
      prefix: z.string(),
      rows: z.int().nonnegative(),
    }),
  ]),
});

/** The content of `manifest.json`. It is written last: a folder without it was not finished. */
export type Manifest = z.infer<typeof manifest>;
/** A file of a backup, with its expected size and digest. */
export type Content = z.infer<typeof content>;

export const MANIFEST_FORMAT = FORMAT;
const MANIFEST_FILE = 'manifest.json';
const SIGNATURE_FILE = 'manifest.hmac';

/** Writes the manifest with a MAC under the SECRET_KEY. */
export async function writeManifest(
  folder: string,
  written: Manifest,
  secret: Buffer,
): Promise<void> {
  const text = `${JSON.stringify(written, null, 2)}\n`;
  await writeSynced(join(folder, SIGNATURE_FILE), `${signatureOf(text, secret).toString('hex')}\n`);
  await writeSynced(join(folder, MANIFEST_FILE), text);
}

/**
 * Reads the manifest of a backup. Throws a StartFault for a folder that is not a backup, an
 * unfinished one, one of a newer version, and one whose MAC under the given SECRET_KEY does not
 * match. Returns whether it was made under the given key; where not, it is unknown whether it was
 * changed.
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
    throw new StartFault(
      `The ${MANIFEST_FILE} in ${folder} is not as it was written: the backup cannot be trusted.`,
    );
  return { manifest: given, isUnderOurSecret };
}

function parsed(text: string, folder: string): Manifest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new StartFault(
      `The ${MANIFEST_FILE} in ${folder} is cut off or damaged: the backup cannot be used.`,
    );
  }
  const outline = z
    .object({ product: z.literal('gatehouse'), format: z.number() })
    .safeParse(given);
  if (!outline.success) throw new StartFault(`${folder} is not a backup of Gatehouse.`);
  if (outline.data.format > FORMAT)
    throw new StartFault(
      `The backup in ${folder} was made by a newer version of Gatehouse; restore it with that one.`,
    );
  const whole = manifest.safeParse(given);
  if (!whole.success)
    throw new StartFault(
      `The ${MANIFEST_FILE} in ${folder} is not as it was written: the backup cannot be trusted.`,
    );
  return whole.data;
}

async function isSigned(folder: string, text: string, secret: Buffer): Promise<boolean> {
  const given = Buffer.from(
    (await readFile(join(folder, SIGNATURE_FILE), 'utf8').catch(() => '')).trim(),
    'hex',
  );
  const right = signatureOf(text, secret);
  return given.length === right.length && timingSafeEqual(given, right);
}

function signatureOf(text: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('gatehouse backup\n').update(text).digest();
}

/** Throws a StartFault that names the backup's keys that are missing in the settings. */
export function checkKeys({ keys }: Manifest, { dataKeys }: Pick<Config, 'dataKeys'>): void {
  const ours = new Set(dataKeys.map((key) => keyId(key)));
  const missing = keys.data.filter((id) => !ours.has(id));
  if (missing.length > 0)
    throw new StartFault(
      `DATA_KEYS lacks what sealed the backup's license numbers, gate codes, gateway tokens and mails: the key with the id ${missing.join(', and the one with the id ')}. Without it they could never be read again; add it to the end of DATA_KEYS.`,
    );
}
