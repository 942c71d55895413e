import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.js';
import { Public } from '../../../features/access/auth/authentication.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { StaticFile } from './static-file.js';

/** The files of swagger-ui-dist that the page needs, by media type. The service serves no other file of the package. */
const VIEWER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The files in `reference-page/`, by media type. The build copies them next to the compiled code. */
const OWN_FILES: Readonly<Record<string, string>> = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
};
const OWN_FOLDER = fileURLToPath(new URL('reference-page/', import.meta.url));

/** Allows nothing from other origins, nothing inline, and no frames. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API reference at /docs. The page loads nothing from other origins. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
@ApiExcludeController()
export class ReferencePageController {
  /** Files by path, each read and compressed on first request. */
  private readonly files = new Map<string, Promise<StaticFile>>();

  @Get()
  @Header('Content-Security-Policy', PAGE_POLICY)
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.send(join(OWN_FOLDER, 'index.html'), 'text/html; charset=utf-8', request, response);
  }

  @Get(':file')
  @Header('Cache-Control', 'public, max-age=3600')
  async part(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (Object.hasOwn(OWN_FILES, name)) {
      // They change with each release, so browsers must revalidate them.
      response.setHeader('Cache-Control', 'no-cache');
      await this.send(join(OWN_FOLDER, name), OWN_FILES[name], request, response);
    } else {
      const mediaType = Object.hasOwn(VIEWER_FILES, name) ? VIEWER_FILES[name] : undefined;
      await this.send(join(viewerFolder(), name), mediaType, request, response);
    }
  }

  private async send(
    path: string,
    mediaType: string | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    if (mediaType === undefined) throw notFound('file');
    const file =
      this.files.get(path) ?? readFile(path).then((bytes) => StaticFile.of(bytes, mediaType));
    this.files.set(path, file);
    (await file).send(request, response);
  }
}

function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** Redirects /docs/ to /docs, because people type both. Every other path has one spelling. */
export function leadToReferencePage(
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (request.path === '/docs/') response.redirect(308, '/docs');
  else next();
}
