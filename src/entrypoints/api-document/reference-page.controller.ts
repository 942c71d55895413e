import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.js';
import { Public } from '../../features/access/auth/authentication.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { OWN_FILES, PAGE_POLICY, VIEWER_FILES } from './reference-page.js';
import { StaticFile } from './static-file.js';

/** The reference for people at /docs: a page that loads nothing from anywhere else. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
@ApiExcludeController()
export class ReferencePageController {
  /** By path; each is made when it is first asked for. */
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
      // These change with the service, so a browser asks each time.
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

/** The build copies it beside the compiled code. */
const OWN_FOLDER = fileURLToPath(new URL('reference-page/', import.meta.url));

function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
