import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '#config/config.ts';
import { checkKey, FilesUnavailable, type FileStore } from './files.ts';

/** The time limits to connect, for the answer of one try, and for a call with all its tries. */
const CONNECT_MS = 3_000;
const ANSWER_MS = 10_000;
const CALL_MS = 20_000;

/**
 * Files in a bucket. The SDK is imported here, so that a server with files on its disk never loads
 * it.
 */
export async function createS3Files(settings: S3Settings): Promise<FileStore> {
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3');
  const client: S3Client = new S3Client({
    region: settings.region,
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    },
    // Not every S3-compatible storage knows the checksums that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const placeOf = (key: string) => {
    checkKey(key);
    return {
      Bucket: settings.bucket,
      Key: settings.prefix === '' ? key : `${settings.prefix}/${key}`,
    };
  };
  const withinTime = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) });
  return {
    async put(key, bytes, contentType) {
      const command = new PutObjectCommand({
        ...placeOf(key),
        Body: bytes,
        ContentType: contentType,
      });
      await client.send(command, withinTime()).catch(unavailable);
    },

    async get(key) {
      const command = new GetObjectCommand(placeOf(key));
      try {
        const { Body } = await client.send(command, withinTime());
        if (Body === undefined) throw new Error('the storage answered without a file');
        return Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        // A missing bucket is also a 404, but not a missing file.
        if (error instanceof NoSuchKey) return null;
        return unavailable(error);
      }
    },

    async remove(key) {
      const command = new DeleteObjectCommand(placeOf(key));
      await client.send(command, withinTime()).catch((error: unknown) => {
        if (!(error instanceof NoSuchKey)) unavailable(error);
      });
    },
  };
}

function unavailable(error: unknown): never {
  throw new FilesUnavailable('the storage of the files cannot be used', { cause: error });
}
