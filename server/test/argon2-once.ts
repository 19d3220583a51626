import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// In each worker the hash of the same password and salt is computed once: it keeps a processor busy
// for long, and the same users sign in in many tests.
const { argon2 } = crypto;
const hashes = new Map<string, Buffer>();

function argon2Once(
  algorithm: Argon2Algorithm,
  parameters: Argon2Parameters,
  callback: (error: Error | null, hash: Buffer) => void,
): void {
  const key = JSON.stringify([algorithm, parameters]);
  const known = hashes.get(key);
  if (known !== undefined) process.nextTick(callback, null, known);
  else
    argon2(algorithm, parameters, (error, hash) => {
      if (error === null) hashes.set(key, hash);
      callback(error, hash);
    });
}

// A worker runs this before each of its files.
if (argon2.name !== argon2Once.name) {
  crypto.argon2 = argon2Once as typeof argon2;
  syncBuiltinESMExports();
}
