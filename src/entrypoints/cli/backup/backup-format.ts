import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';

/**
 * A backup is a gzipped tar: `manifest.json`; `secrets.key` with an embedded database; each table as parts
 * `tables/<name>/<number>` in COPY text format; and `end.json`, which only a complete backup has
 * (docs/adr/0026-migrations-releases-and-backups.md).
 */
export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const SECRETS_KEY = 'secrets.key';
export const END = 'end.json';

/** How many bytes of a table are buffered at a time. tar needs the length of each part in advance. */
export const PART_BYTES = 4 * 1024 * 1024;

const manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  /** Server version, for information only: every version reads COPY text. */
  postgresql: z.string(),
  /** Names of the migrations, oldest first. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

const end = z.object({
  tables: z.record(
    z.string(),
    z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() }),
  ),
  /** Last value of each used sequence. */
  sequences: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifest>;
export type BackedUpTable = Manifest['tables'][number];
export type BackupEnd = z.infer<typeof end>;

/** Throws a zod error for an invalid manifest. */
export const parseManifest = (text: string): Manifest => manifest.parse(JSON.parse(text));
export const parseEnd = (text: string): BackupEnd => end.parse(JSON.parse(text));

export const partName = (table: string, number: number) =>
  `tables/${table}/${String(number).padStart(6, '0')}`;

/** Returns the table of a part; undefined for other entries. */
export const tableOf = (entry: string): string | undefined =>
  /^tables\/([^/]+)\/\d{6,}$/.exec(entry)?.[1];

/** Computes the digest of a table for `end.json`. */
export class TableDigest {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  add(part: Buffer): void {
    this.#hash.update(part);
    this.#bytes += part.length;
  }

  close(rows: number): BackupEnd['tables'][string] {
    return { rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
