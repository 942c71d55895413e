const END = Buffer.from(']');

/**
 * One row or more as a JSON array for `json_to_recordset`, each with its `content`, which is JSON text already: making
 * JSON of it costs more than the rest of the row. In bytes, made row by row: as one string a batch would be longer than
 * what V8 keeps among young objects, and pg would read it twice more.
 */
export function rowsWithContent(
  rows: readonly (readonly [row: object, content: string])[],
): Buffer {
  const parts = rows.map(([row, content], index) =>
    Buffer.from(
      `${index === 0 ? '[' : ','}${JSON.stringify(row).slice(0, -1)},"content":${content}}`,
    ),
  );
  return Buffer.concat([...parts, END]);
}
