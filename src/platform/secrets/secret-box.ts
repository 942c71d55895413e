import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/** Returns a name for a key that does not reveal the key: the beginning of its SHA-256, in hex. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);
}

/** A stored secret that cannot be read. The message gives the reason and the remedy. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/**
 * Encrypts secrets that the service must be able to read again, with AES-256-GCM. A record is
 *
 *  version (1 byte) | key ID (4) | nonce (12) | tag (16) | ciphertext
 *
 * The key ID is the beginning of the key's SHA-256. It distinguishes a wrong key from a damaged record. The version, the
 * key ID and the row's ID are authenticated with the text, so a record copied to another row cannot be decrypted. New
 * records use one key. Records of other keys can still be read, so keys can be changed.
 */
export class SecretBox {
  /** ID of the key that {@link seal} uses. */
  readonly keyId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /** Each key has 32 bytes. `previous` keys are only used for reading. */
  constructor(
    private readonly key: Buffer,
    previous: readonly Buffer[] = [],
  ) {
    const keys = [...previous, key];
    if (keys.some(({ length }) => length !== KEY_BYTES)) {
      throw new Error('A secrets key must have exactly 32 bytes.');
    }
    this.keyId = keyIdOf(key);
    this.keys = new Map(keys.map((one) => [keyIdOf(one), one]));
  }

  /** IDs of all keys that {@link open} can use. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }

  /** Encrypts `secret` for the row with this ID. Each call returns a different record. */
  seal(secret: string, rowId: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    const header = Buffer.concat([Buffer.of(VERSION), Buffer.from(this.keyId, 'hex')]);
    cipher.setAAD(additionalData(header, rowId));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** Decrypts a record of this row. Throws a {@link SecretUnreadableError}. */
  open(record: Buffer, rowId: string): string {
    if (record.length < OVERHEAD_BYTES || record[0] !== VERSION) {
      throw new SecretUnreadableError(
        'A stored secret cannot be read because its record is damaged or of an unknown version; replace the secret.',
      );
    }
    const key = this.keys.get(keyIdIn(record));
    if (!key) {
      throw new SecretUnreadableError(
        'A stored secret cannot be read because it was encrypted with another key; start the service with the SECRETS_KEY it was written with, or name that key in SECRETS_KEY_PREVIOUS.',
      );
    }
    try {
      return decrypt(record, rowId, key);
    } catch (error) {
      throw new SecretUnreadableError(
        'A stored secret cannot be read because its record was altered or belongs to another row; replace the secret.',
        { cause: error },
      );
    }
  }
}

/** Returns the ID of the key that a record is encrypted with. */
export function keyIdIn(record: Buffer): string {
  return record.toString('hex', 1, HEADER_BYTES);
}

function decrypt(record: Buffer, rowId: string, key: Buffer): string {
  const nonce = record.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const tag = record.subarray(HEADER_BYTES + NONCE_BYTES, OVERHEAD_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(record.subarray(0, HEADER_BYTES), rowId));
  decipher.setAuthTag(tag);
  return (
    decipher.update(record.subarray(OVERHEAD_BYTES), undefined, 'utf8') + decipher.final('utf8')
  );
}

function additionalData(header: Buffer, rowId: string): Buffer {
  return Buffer.concat([header, Buffer.from(rowId, 'utf8')]);
}
