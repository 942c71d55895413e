/**
 * Rows as a JSON array for `json_to_recordset`, each with its `content`, which is JSON text already: to make JSON of
 * what is as long as a document costs more than all the rest of the row.
 */
export function rowsWithContent(
  rows: readonly (readonly [row: object, content: string])[],
): string {
  const texts = rows.map(
    ([row, content]) => `${JSON.stringify(row).slice(0, -1)},"content":${content}}`,
  );
  return `[${texts.join(',')}]`;
}
