import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import PQueue from 'p-queue';

const argon2Async = promisify(argon2);

// Each hash takes a processor and 19 MiB; http/admission.ts limits how many wait here.
const hashing = new PQueue({ concurrency: availableParallelism() });

// OWASP's parameters for Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19456;
const PASSES = 2;
const PARALLELISM = 1;

/** The Argon2id hash of a password's NFC form in PHC format, with a new salt each time. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize(), salt);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Whether the password matches the hash, in constant time: in its NFC form, as it is hashed, or as
 * it was typed, as hashes were made before. A password in NFC, as almost all are, is hashed once.
 */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const kept = password.normalize();
  return (await matches(kept, stored)) || (kept !== password && (await matches(password, stored)));
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [, , , , salt, hash] = stored.split('$');
  if (salt === undefined || hash === undefined)
    throw new Error('a stored password hash is damaged');
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64')),
    Buffer.from(hash, 'base64'),
  );
}

/** A hash that matches no password, so that an unknown address takes as long as a known one. */
export const dummyHash = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return hashing.add(() =>
    argon2Async('argon2id', {
      message: password,
      nonce: salt,
      memory: MEMORY_KIB,
      passes: PASSES,
      parallelism: PARALLELISM,
      tagLength: 32,
    }),
  );
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
