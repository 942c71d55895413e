const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** True if bytes contain some that every encoder of forms replaces. */
export function isUnencoded(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte <= SPACE || byte >= 0x80) return true;
  return false;
}

/**
 * Decodes `+` and percent-encoded UTF-8. In bytes that the client did not encode, `+` stands for itself, and so does a
 * percent sign without two hexadecimal digits.
 */
export function decoded(bytes: Buffer): string {
  const plus = isUnencoded(bytes) ? PLUS : SPACE;
  const text = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? digitOf(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : digitOf(bytes[at + 2]);
    if (low !== -1) {
      text[length] = high * 16 + low;
      at += 2;
    } else text[length] = byte === PLUS ? plus : byte;
    length += 1;
  }
  return text.toString('utf8', 0, length);
}

/** Returns the value of a hexadecimal digit in ASCII, or -1. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
