import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Controller, Get, Header, Param, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { AnyFields } from '../envelope/unwanted-fields.js';
import { Public } from '../auth/authentication.js';
import { notFound } from '../errors/app-error.js';
import { INITIALIZER, PAGE_POLICY, REFERENCE_PAGE, VIEWER_FILES } from './reference-page.js';

const AN_HOUR_MS = 3_600_000;

/** The reference for people at /docs: a page that loads nothing from anywhere else. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
@Public()
@AnyFields()
@ApiExcludeController()
export class ReferencePageController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  page(@Res() response: Response): void {
    response.end(REFERENCE_PAGE);
  }

  @Get('initializer.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  initializer(@Res() response: Response): void {
    response.end(INITIALIZER);
  }

  @Get(':file')
  async file(@Param('file') file: string, @Res() response: Response): Promise<void> {
    if (!VIEWER_FILES.includes(file)) throw notFound('file');
    // Packages have no times of their own: a Last-Modified would keep old files alive in browsers after an update.
    const options = { root: viewerFolder(), maxAge: AN_HOUR_MS, lastModified: false };
    await new Promise<void>((resolve, reject) => {
      response.sendFile(file, options, (error: Error | undefined) => {
        // A client that went away is no failure of ours.
        if (error && !response.headersSent) reject(error);
        else resolve();
      });
    });
  }
}

function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
