import { randomUUID } from 'node:crypto';

export interface FormFile {
  name: string;
  content: string | Uint8Array;
  /** Media type of the part. The default is what curl sends. */
  type?: string;
}

/** Returns a `multipart/form-data` body with a file and fields. */
export function formWith(
  { name, content, type = 'application/octet-stream' }: FormFile,
  fields: Record<string, string> = {},
): { body: Buffer; contentType: string } {
  const boundary = `form-${randomUUID()}`;
  const parts = Object.entries(fields).map(([field, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    ),
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  const body = Buffer.concat([
    ...parts,
    Buffer.from(head),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
