import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PROJECT_ROOT } from '../../platform/config/project.js';
import { pagePolicy } from '../../platform/http/page-policy.js';
import { prefersPage } from '../../platform/http/prefers-page.js';
import { mediaTypeOf, StaticFolder, type FoundFile } from '../../platform/http/static-folder.js';

/** Output of the Vite build. It is outside `dist`, because Nest's build empties that folder. */
const BUILT = join(PROJECT_ROOT, 'packages/dashboard/dist');

const POLICY = pagePolicy({ images: "'self' data:", fonts: "'self'", forms: "'self'" });

const BELOW = /^\/dashboard((?:\/.*)?)$/s;
const PAGE = '/index.html';
/** A file at the top level or an asset. Excludes escapes and hidden files, so no path leaves the folder. */
const FILE = /^\/(?:assets\/)?[a-z0-9_-][a-z0-9._-]*$/i;
const API = /^\/(?:api|receivers)(?:\/|$)/i;
const ASSETS = /^\/assets(?:\/|$)/i;

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>The dashboard is not built</title></head>
  <body><h1>The dashboard is not built</h1><p>Run <code>npm run build</code> and load this page again. The API works without it.</p></body>
</html>
`;

/** Streams the built files of the dashboard. */
@Injectable()
export class DashboardFiles {
  /** Tests set another folder. */
  readonly files = new StaticFolder(BUILT, POLICY);

  /** Middleware that serves files and pages, and passes all other requests to their routes. */
  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const [, path] = BELOW.exec(request.path) ?? [];
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
    } else if (path === '') {
      // Relative links on the page need the trailing slash.
      response.redirect(308, '/dashboard/');
    } else {
      this.respond(path, request, response, next).catch(next);
    }
  };

  private async respond(
    path: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    const isFile = FILE.test(path) && mediaTypeOf(path) !== undefined;
    const file = isFile ? await this.files.find(path, request) : undefined;
    if (file) {
      await this.send(file, request, response);
      return;
    }
    if (API.test(path)) {
      next();
      return;
    }
    response.vary('Accept');
    const isNoPage = isFile || ASSETS.test(path);
    if (!(isNoPage ? prefersPage(request) : request.accepts('html'))) {
      next();
      return;
    }
    // The page says that it does not exist.
    if (isNoPage) response.status(404);
    await this.sendPage(request, response);
  }

  private async sendPage(request: Request, response: Response): Promise<void> {
    const file = await this.files.find(PAGE, request);
    if (file) await this.send(file, request, response);
    else {
      response.setHeader('Content-Security-Policy', POLICY);
      response.setHeader('Cache-Control', 'no-store');
      response.status(503).type('html').send(NOT_BUILT);
    }
  }

  private async send(file: FoundFile, request: Request, response: Response): Promise<void> {
    const isAsset = file.name.startsWith('/assets/');
    // Log one line per page, not one per asset.
    request.quiet = isAsset;
    request.route = { path: isAsset ? '/dashboard/assets/:file' : '/dashboard/:page' };
    // After sign-out, browsers must not show the page from their history.
    await this.files.send(file, request, response, file.name === PAGE ? 'no-store' : undefined);
  }
}
