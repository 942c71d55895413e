import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PROJECT_ROOT } from '../../platform/config/project.js';
import { isUnchanged } from '../../platform/http/envelope/preconditions.js';

/** Where Vite builds the dashboard; Nest's build empties `dist`. */
const BUILT = join(PROJECT_ROOT, 'packages/dashboard/dist');

/** Scripts and styles are files of our own, so nothing inline and nothing from elsewhere is ever run. */
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

/** What is served, by extension; nothing else of the folder is. */
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

/** Made by the build beside each file, the better one first. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const BELOW = /^\/dashboard((?:\/.*)?)$/s;
const PAGE = '/index.html';
/** A file at the top or an asset: no escapes and no hidden files, so no path leads out of the folder. */
const FILE = /^\/(?:assets\/)?[a-z0-9_-][a-z0-9._-]*$/i;
/** What lies below the dashboard and is no page of it. */
const NO_PAGE = /^\/(?:api|assets|receivers)(?:\/|$)/i;

const FOR_EVER = 'public, max-age=31536000, immutable';

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

/** The files of the dashboard, streamed from where the build put them. */
@Injectable()
export class DashboardFiles {
  /** Where they are; tests have others. */
  folder = BUILT;

  /** Answers requests for files and pages; whatever else is below `/dashboard` goes on to its route. */
  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const [, path] = BELOW.exec(request.path) ?? [];
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
    } else if (path === '') {
      // Without the slash the links of the page would lead elsewhere.
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
    else if (isFile || NO_PAGE.test(path) || !request.accepts('html')) next();
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

  /** The file in the coding that the client takes; `undefined` where there is none. */
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
    // A page is one line in the log; a line for each of its files would only hide it.
    request.quiet = isAsset;
    request.route = { path: isAsset ? '/dashboard/assets/:file' : '/dashboard/:page' };
    response.vary('Accept-Encoding');
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Accept-Ranges', 'none');
    if (name === PAGE) {
      // Browsers must not show the page again from their history after a sign-out.
      response.setHeader('Cache-Control', 'no-store');
    } else {
      response.setHeader('Cache-Control', isAsset ? FOR_EVER : 'no-cache');
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
    // An error here is a client that left, or a file that a new build has just removed: the connection ends.
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
  // Each coding is other bytes, with a tag of its own.
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${coding ? `-${coding}` : ''}"`;
  return { path, coding, size, etag };
}
