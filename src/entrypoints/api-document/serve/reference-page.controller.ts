import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Controller,
  Get,
  Header,
  Injectable,
  Param,
  Req,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import { pagePolicy } from '../../../platform/http/page-policy.js';
import { Public } from '../../../features/auth/authentication.js';
import { DocsFiles } from './docs.controller.js';
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

/** The page and its files, each read and compressed on first request. */
@Injectable()
export class ReferenceFiles {
  private readonly files = new Map<string, Promise<StaticFile>>();

  page(): Promise<StaticFile> {
    return this.read(join(OWN_FOLDER, 'index.html'), 'text/html; charset=utf-8');
  }

  /** Returns a file that the page loads, or `undefined`. */
  async part(name: string): Promise<StaticFile | undefined> {
    if (isOwn(name)) return this.read(join(OWN_FOLDER, name), OWN_FILES[name] ?? '');
    const mediaType = Object.hasOwn(VIEWER_FILES, name) ? VIEWER_FILES[name] : undefined;
    return mediaType === undefined ? undefined : this.read(join(viewerFolder(), name), mediaType);
  }

  private async read(path: string, mediaType: string): Promise<StaticFile> {
    const file =
      this.files.get(path) ?? readFile(path).then((bytes) => StaticFile.of(bytes, mediaType));
    this.files.set(path, file);
    return file;
  }
}

/** Serves the page that sends requests, at /docs/try. It loads nothing from other origins. */
@Controller({ path: 'docs/try', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
@ApiExcludeController()
export class ReferencePageController {
  constructor(
    private readonly files: ReferenceFiles,
    private readonly docs: DocsFiles,
  ) {}

  @Get()
  @Header('Content-Security-Policy', pagePolicy({ images: "'self' data:" }))
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    (await this.files.page()).send(request, response);
  }

  @Get(':file')
  async part(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.part(name);
    if (!file) {
      await this.docs.answer(request, response);
      return;
    }
    // Our files change with each release, so browsers must revalidate them.
    response.setHeader('Cache-Control', isOwn(name) ? 'no-cache' : 'public, max-age=3600');
    file.send(request, response);
  }
}

function isOwn(name: string): boolean {
  return Object.hasOwn(OWN_FILES, name);
}

function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
