const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/**
 * Rows as a JSON array, for a parameter that `json_to_recordset` reads. Bytes and not a string: that of a batch would be
 * so long that V8 keeps it in the old generation, where it lives until a full collection.
 */
export function jsonRows(rows: readonly object[]): Buffer {
  const texts = rows.map((row) => JSON.stringify(row));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 1);
  const buffer = Buffer.allocUnsafe(rows.length === 0 ? 2 : bytes);
  let offset = 0;
  for (const text of texts) {
    buffer[offset] = offset === 0 ? OPEN : COMMA;
    offset += 1 + buffer.write(text, offset + 1);
  }
  if (rows.length === 0) buffer[0] = OPEN;
  buffer[buffer.length - 1] = CLOSE;
  return buffer;
}
