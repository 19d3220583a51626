import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The columns that hold sealed values, each with the column that names its row. */
export const sealedColumns = {
  license: { table: 'tenants', column: 'drivers_license_number', row: 'id' },
  vehiclePaper: { table: 'vehicle_papers', column: 'number', row: 'id' },
  gateCode: { table: 'gate_codes', column: 'access_code', row: 'ledger_id' },
  personCode: { table: 'authorized_persons', column: 'access_code', row: 'id' },
  gatewayToken: { table: 'payment_methods', column: 'gateway_token', row: 'id' },
  mailText: { table: 'mails', column: 'text_body', row: 'id' },
  mailHtml: { table: 'mails', column: 'html_body', row: 'id' },
  totpSecret: { table: 'staff_members', column: 'totp_secret', row: 'id' },
  newTotpSecret: { table: 'staff_members', column: 'new_totp_secret', row: 'id' },
  textBody: { table: 'texts', column: 'body', row: 'id' },
  leaseImport: { table: 'lease_imports', column: 'given', row: 'id' },
  leasesReport: { table: 'lease_imports', column: 'report', row: 'id' },
  mailBlocks: { table: 'mails', column: 'blocks', row: 'id' },
} as const;
export type SealedColumn = keyof typeof sealedColumns;

/** What every sealed value begins with; the tables refuse one that does not. */
export const SEAL = 'sealed:1:';
/** The characters before a sealed value's content: the seal, the id of its key and a colon. */
export const SEAL_LENGTH = SEAL.length + 17;

/**
 * Seals what must not be readable in a table or a backup of it. A sealed value opens in its own
 * place only.
 */
export type Vault = {
  /** Seals a text for a column of a row, under the first key. */
  seal(column: SealedColumn, rowId: string, text: string): string;
  /**
   * The text again. Throws a BrokenSeal for what was sealed elsewhere, was changed, or has none of
   * our keys.
   */
  open(column: SealedColumn, rowId: string, sealed: string): string;
  /** What a value that is sealed under the first key begins with. */
  currentSeal: string;
};

/** A sealed value that cannot be decrypted in its place. */
export class BrokenSeal extends Error {
  override name = 'BrokenSeal';
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A vault on keys of 32 bytes: the first seals, all open. A sealed value reads `sealed:1:<key
 * id>:<base64url of nonce, ciphertext and tag>`; its place is authenticated with it, so that it
 * cannot be moved to another row or column.
 */
export function openVault(keys: Buffer[]): Vault {
  const [first] = keys;
  if (first === undefined) throw new Error('a vault needs a key');
  const keysById = new Map(keys.map((key) => [keyId(key), key]));
  const currentSeal = `${SEAL}${keyId(first)}:`;
  return {
    currentSeal,

    seal(column, rowId, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first, nonce, { authTagLength: TAG_BYTES }).setAAD(
        place(column, rowId),
      );
      const sealed = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return currentSeal + sealed.toString('base64url');
    },

    open(column, rowId, sealed) {
      const [id = '', content = ''] = sealed.startsWith(SEAL)
        ? sealed.slice(SEAL.length).split(':')
        : [];
      const key = keysById.get(id);
      if (key === undefined) throw new BrokenSeal('the value is sealed under none of the keys');
      try {
        const bytes = Buffer.from(content, 'base64url');
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(place(column, rowId))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        return (
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') +
          decipher.final('utf8')
        );
      } catch (error) {
        throw new BrokenSeal('the value was changed or belongs elsewhere', { cause: error });
      }
    },
  };
}

/**
 * Table, column and row. A path may name the row in capitals; PostgreSQL answers its id in small
 * letters.
 */
function place(column: SealedColumn, rowId: string): Buffer {
  const { table, column: name } = sealedColumns[column];
  return Buffer.from(`${table}|${name}|${rowId.toLowerCase()}`);
}

/** Identifies a key without revealing it. `data`: one of DATA_KEYS; `secret`: the SECRET_KEY. */
export function keyId(key: Buffer, kind: 'data' | 'secret' = 'data'): string {
  return createHmac('sha256', key).update(`gatehouse ${kind} key`).digest('hex').slice(0, 16);
}
