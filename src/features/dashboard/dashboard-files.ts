import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PROJECT_ROOT } from '../../platform/config/project.js';
import { isUnchanged } from '../../platform/http/envelope/preconditions.js';

/** Output of the Vite build. It is outside `dist`, because Nest's build empties that folder. */
const BUILT = join(PROJECT_ROOT, 'packages/dashboard/dist');

/** Allows scripts and styles only from files of this origin, never inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Media types by extension. Files with other extensions are not served. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
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

const BELOW = /^\/dashboard((?:\/.*)?)$/s;
const PAGE = '/index.html';
/** A file at the top level or an asset. Excludes escapes and hidden files, so no path leaves the folder. */
const FILE = /^\/(?:assets\/)?[a-z0-9_-][a-z0-9._-]*$/i;
/** Paths below the dashboard that are not pages. */
const NOT_A_PAGE = /^\/(?:api|assets|receivers)(?:\/|$)/i;

const IMMUTABLE = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>The dashboard is not built</title></head>
  <body><h1>The dashboard is not built</h1><p>Run <code>npm run build</code> and load this page again. The API works without it.</p></body>
</html>
`;

interface FoundFile {
  path: string;
  coding: string | undefined;
  size: number;
  etag: string;
}

/** Streams the built files of the dashboard. */
@Injectable()
export class DashboardFiles {
  /** Tests set another folder. */
  folder = BUILT;

  /** Middleware that serves files and pages, and passes all other requests to their routes. */
  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const [, path] = BELOW.exec(request.path) ?? [];
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
    } else if (path === '') {
      // Relative links on the page need the trailing slash.
      response.redirect(308, '/dashboard/');
    } else {
      this.answer(path, request, response, next).catch(next);
    }
  };

  private async answer(
    path: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    const isFile = FILE.test(path) && mediaTypeOf(path) !== undefined;
    const file = isFile ? await this.find(path, request) : undefined;
    if (file) this.send(file, path, request, response);
    else if (isFile || NOT_A_PAGE.test(path) || !request.accepts('html')) next();
    else await this.sendPage(request, response);
  }

  private async sendPage(request: Request, response: Response): Promise<void> {
    const file = await this.find(PAGE, request);
    if (file) {
      this.send(file, PAGE, request, response);
      return;
    }
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Cache-Control', 'no-store');
    response.status(503).type('html').send(NOT_BUILT);
  }

  /** Finds a file in the best encoding that the client accepts. */
  private async find(name: string, request: Request): Promise<FoundFile | undefined> {
    for (const [coding, suffix] of CODINGS) {
      if (request.acceptsEncodings(coding) === false) continue;
      const found = await fileAt(join(this.folder, name + suffix), coding);
      if (found) return found;
    }
    return fileAt(join(this.folder, name), undefined);
  }

  private send(file: FoundFile, name: string, request: Request, response: Response): void {
    const isAsset = name.startsWith('/assets/');
    // Log one line per page, not one per asset.
    request.quiet = isAsset;
    request.route = { path: isAsset ? '/dashboard/assets/:file' : '/dashboard/:page' };
    response.vary('Accept-Encoding');
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Accept-Ranges', 'none');
    if (name === PAGE) {
      // After sign-out, browsers must not show the page from their history.
      response.setHeader('Cache-Control', 'no-store');
    } else {
      response.setHeader('Cache-Control', isAsset ? IMMUTABLE : 'no-cache');
      response.setHeader('ETag', file.etag);
      if (isUnchanged(request, file.etag)) {
        response.status(304).end();
        return;
      }
    }
    response.setHeader('Content-Type', mediaTypeOf(name) ?? '');
    response.setHeader('Content-Length', file.size);
    if (file.coding !== undefined) response.setHeader('Content-Encoding', file.coding);
    if (request.method === 'HEAD') response.end();
    // Errors are ignored. Either the client disconnected, or a new build removed the file; both end the connection.
    else pipeline(createReadStream(file.path), response, () => undefined);
  }
}

function mediaTypeOf(name: string): string | undefined {
  const extension = extname(name).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}

async function fileAt(path: string, coding: string | undefined): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs } = found;
  // Each encoding has different bytes, so it needs its own tag.
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${coding ? `-${coding}` : ''}"`;
  return { path, coding, size, etag };
}
