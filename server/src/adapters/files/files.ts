/**
 * Where the bytes of photos lie: on the disk, or in a storage that speaks S3. A key is a UUID of ours, never a name that
 * somebody sent; what the file is called and what it is, its row says.
 */
export type FileStore = {
  /** Keeps the bytes under the key; once it returns they outlive a crash. Throws FilesUnavailable. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The bytes, or null where the key names nothing. Throws FilesUnavailable. */
  get(key: string): Promise<Buffer | null>;
  /** Removes the file; one that is not there is no fault. Throws FilesUnavailable. */
  remove(key: string): Promise<void>;
};

/** The store cannot be reached, is full or refuses us. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable';
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws for a key that could be a path: it never came from us. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('a file key must be a UUID');
}
