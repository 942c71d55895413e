import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../envelope/unknown-fields.js';
import { Public } from '../auth/authentication.js';
import { notFound } from '../errors/app-error.js';
import { INITIALIZER, PAGE_POLICY, REFERENCE_PAGE, VIEWER_FILES } from './reference-page.js';
import { StaticFile } from './static-file.js';

/** The reference for people at /docs: a page that loads nothing from anywhere else. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
@ApiExcludeController()
export class ReferencePageController {
  /** By name; each is made when it is first asked for. */
  private readonly files = new Map<string, Promise<StaticFile>>();

  @Get()
  @Header('Content-Security-Policy', PAGE_POLICY)
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const page = await this.file('', () =>
      StaticFile.of(REFERENCE_PAGE, 'text/html; charset=utf-8'),
    );
    page.send(request, response);
  }

  @Get('initializer.js')
  async initializer(@Req() request: Request, @Res() response: Response): Promise<void> {
    const script = await this.file('initializer.js', () =>
      StaticFile.of(INITIALIZER, 'text/javascript; charset=utf-8'),
    );
    script.send(request, response);
  }

  @Get(':file')
  @Header('Cache-Control', 'public, max-age=3600')
  async viewer(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const mediaType = Object.hasOwn(VIEWER_FILES, name) ? VIEWER_FILES[name] : undefined;
    if (mediaType === undefined) throw notFound('file');
    const file = await this.file(name, async () =>
      StaticFile.of(await readFile(join(viewerFolder(), name)), mediaType),
    );
    file.send(request, response);
  }

  private file(name: string, make: () => Promise<StaticFile>): Promise<StaticFile> {
    const file = this.files.get(name) ?? make();
    this.files.set(name, file);
    return file;
  }
}

function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
