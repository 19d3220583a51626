/**
 * Stores the bytes of photos: on the disk, or in an S3-compatible storage. A key is a UUID of ours,
 * never a name from a client; the file's name and type are stored in its database row.
 */
export type FileStore = {
  /** Stores the bytes under the key durably. Throws FilesUnavailable. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The bytes, or null for an unknown key. Throws FilesUnavailable. */
  get(key: string): Promise<Buffer | null>;
  /** Removes the file; an unknown key is no error. Throws FilesUnavailable. */
  remove(key: string): Promise<void>;
};

/** The store cannot be reached, is full or refused the call. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable';
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws for a key that is not a UUID and could be a path. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('a file key must be a UUID');
}
