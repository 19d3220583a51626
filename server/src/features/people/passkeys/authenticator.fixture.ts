import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/**
 * An authenticator with one passkey, as a phone has it: what a browser answers by it. Each answer
 * can be changed, as an attacker would.
 */
export type Authenticator = {
  /** For `addPasskey`. */
  create(options: Creation, changes?: Changes): Record<string, unknown>;
  /** For `signInByPasskey`. */
  get(options: Question, changes?: Changes): Record<string, unknown>;
};

/** What `passkeyOptions` answers, as far as it is used. */
export type Creation = { challenge: string; rp: { id: string }; user: { id: string } };

/** What `passkeySignInOptions` answers, as far as it is used. */
export type Question = { challenge: string; rpId: string };

export type Changes = {
  origin?: string;
  rpId?: string;
  type?: string;
  userHandle?: string;
  /** Bits of the authenticator data: user present 1, verified 4, may be backed up 8, is 16. */
  flags?: number;
  counter?: number;
  /** Signs with this key instead. */
  key?: KeyObject;
  credentialId?: Buffer;
};

const PRESENT_VERIFIED_SYNCED = 0x1d;
const ATTESTED = 0x40;

export function newAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(20);
  let userHandle = '';
  return {
    create({ challenge, rp, user }, changes = {}) {
      userHandle = user.id;
      const id = changes.credentialId ?? credentialId;
      const data = Buffer.concat([
        authenticatorData(rp.id, { ...changes, flags: ATTESTED | flagsOf(changes) }),
        Buffer.alloc(16),
        Buffer.from([id.length >> 8, id.length & 255]),
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(data)],
      ]);
      return {
        id: text(id),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin, changes),
          attestationObject: text(isoCBOR.encode(attestation as never)),
        },
      };
    },
    get({ challenge, rpId }, changes = {}) {
      const data = authenticatorData(rpId, changes);
      const client = clientData('webauthn.get', challenge, origin, changes);
      const hash = createHash('sha256').update(Buffer.from(client, 'base64url')).digest();
      return {
        id: text(changes.credentialId ?? credentialId),
        response: {
          clientDataJSON: client,
          authenticatorData: text(data),
          signature: text(sign('sha256', Buffer.concat([data, hash]), changes.key ?? privateKey)),
          userHandle: changes.userHandle ?? userHandle,
        },
      };
    },
  };
}

function clientData(type: string, challenge: string, origin: string, changes: Changes): string {
  return text(
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    ),
  );
}

function flagsOf({ flags = PRESENT_VERIFIED_SYNCED }: Changes): number {
  return flags;
}

function authenticatorData(rpId: string, changes: Changes): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(changes.counter ?? 0);
  const hash = createHash('sha256')
    .update(changes.rpId ?? rpId)
    .digest();
  return Buffer.concat([hash, Buffer.from([flagsOf(changes)]), counter]);
}

/** An ES256 key as COSE has it (RFC 9053, 7.1.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const map = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.from(isoCBOR.encode(map as never));
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
