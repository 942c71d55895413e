import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isUnchanged } from './envelope/preconditions.js';

/** Media types by extension. Files with other extensions are not served. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Compressed variants that the build creates for each file, best first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface FoundFile {
  name: string;
  path: string;
  coding: string | undefined;
  size: number;
  etag: string;
}

/** A folder of built files, which are streamed in the encoding that the client accepts. */
export class StaticFolder {
  constructor(
    public folder: string,
    private readonly policy: string,
  ) {}

  /**
   * Finds a file in the best encoding that the client accepts. The caller checks that the name, such as `/assets/a.js`,
   * does not leave the folder.
   */
  async find(name: string, request: Request): Promise<FoundFile | undefined> {
    for (const [coding, suffix] of CODINGS) {
      if (request.acceptsEncodings(coding) === false) continue;
      const found = await fileAt(join(this.folder, name + suffix), name, coding);
      if (found) return found;
    }
    return fileAt(join(this.folder, name), name, undefined);
  }

  /** Responds with a file, or with 304. `no-store` prevents both caching and 304. Resolves when the response has ended. */
  async send(
    file: FoundFile,
    request: Request,
    response: Response,
    cacheControl: string = file.name.startsWith('/assets/') ? IMMUTABLE : 'no-cache',
  ): Promise<void> {
    response.vary('Accept-Encoding');
    response.setHeader('Content-Security-Policy', this.policy);
    response.setHeader('Accept-Ranges', 'none');
    response.setHeader('Cache-Control', cacheControl);
    if (cacheControl !== 'no-store') {
      response.setHeader('ETag', file.etag);
      if (isUnchanged(request, file.etag)) {
        response.status(304).end();
        return;
      }
    }
    response.setHeader('Content-Type', mediaTypeOf(file.name) ?? '');
    response.setHeader('Content-Length', file.size);
    if (file.coding !== undefined) response.setHeader('Content-Encoding', file.coding);
    if (request.method === 'HEAD') response.end();
    // Errors are ignored. Either the client disconnected, or a new build removed the file; both end the connection.
    else await pipeline(createReadStream(file.path), response).catch(() => undefined);
  }
}

/** Returns the media type for a name, or `undefined` if files with this extension are not served. */
export function mediaTypeOf(name: string): string | undefined {
  const extension = extname(name).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}

async function fileAt(
  path: string,
  name: string,
  coding: string | undefined,
): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs } = found;
  // Each encoding has different bytes, so it needs its own tag.
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${coding ? `-${coding}` : ''}"`;
  return { name, path, coding, size, etag };
}
