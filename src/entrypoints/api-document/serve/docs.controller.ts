import { join } from 'node:path';
import { Controller, Get, Injectable, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { Public } from '../../../features/auth/auth.decorators.js';
import { Reach } from '../../../features/auth/access/reach.decorators.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { PROJECT_ROOT } from '../../../platform/config/project.js';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import { pagePolicy } from '../../../platform/http/page-policy.js';
import { prefersPage } from '../../../platform/http/prefers-page.js';
import { mediaTypeOf, StaticFolder, type FoundFile } from '../../../platform/http/static-folder.js';

/** Output of `npm run site`. */
const BUILT = join(PROJECT_ROOT, 'docs-site/dist');

/** Excludes escapes and hidden files, so no path leaves the folder. */
const PATH = /^(?:\/[a-z0-9_-][a-z0-9._-]*)*$/i;
const OTHER_SPELLING = /^(\/docs(?:\/.+?)?)\/(?:index\.html)?$/;
/** The address of a page that sent requests, before each operation's page had a form. */
const TRY = '/docs/try';
const OPERATIONS = '/docs/reference/operations';
const NO_SUCH_PAGE = '/404.html';

const NOT_BUILT =
  'The documentation is not built. Run `npm run site` in the folder of the service and load this page again. The API works without it.';

/** Streams the files of the documentation site. */
@Injectable()
export class DocsFiles {
  /** Tests set another folder. */
  readonly files = new StaticFolder(BUILT, pagePolicy({ fonts: "'self'" }));

  /**
   * Middleware that redirects /docs/search/ and /docs/search/index.html to /docs/search. It also refuses paths that no
   * route accepts, such as /docs/100%.
   */
  readonly receive = (request: Request, response: Response, next: NextFunction): void => {
    const [, path] = OTHER_SPELLING.exec(request.path) ?? [];
    if (request.method !== 'GET' && request.method !== 'HEAD') next();
    else if (path !== undefined) response.redirect(308, path.replace(/\/+$/, ''));
    else if (request.path === TRY) response.redirect(308, OPERATIONS);
    else if (isDecodable(request.path) || !request.path.startsWith('/docs/')) next();
    else this.refuse(request, response).catch(next);
  };

  /** Responds with the page or the file at a path below /docs. Throws `not_found`. */
  async respond(request: Request, response: Response): Promise<void> {
    const path = request.path.slice('/docs'.length);
    const file = await this.find(path, request);
    if (file) await this.send(file, request, response);
    else await this.refuse(request, response);
  }

  private async find(path: string, request: Request): Promise<FoundFile | undefined> {
    if (!PATH.test(path) || path.endsWith('.html')) return undefined;
    const name = mediaTypeOf(path) === undefined ? `${path}/index.html` : path;
    return this.files.find(name, request);
  }

  private async send(file: FoundFile, request: Request, response: Response): Promise<void> {
    // Log one line per page, not one per asset.
    request.quiet = file.name.startsWith('/assets/');
    await this.files.send(file, request, response);
  }

  /** Browsers get a page with the search and the navigation; programs, scripts and styles get the envelope. */
  private async refuse(request: Request, response: Response): Promise<void> {
    const page = await this.files.find(NO_SUCH_PAGE, request);
    if (!page) throw new AppError('not_found', NOT_BUILT);
    response.vary('Accept');
    if (!prefersPage(request))
      throw new AppError(
        'not_found',
        'The documentation has no such page. /docs/llms.txt lists all pages. The OpenAPI document is at /v1/openapi.json.',
      );
    response.status(404);
    await this.files.send(page, request, response, 'no-store');
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Serves the documentation site at /docs. */
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
@Public()
@Reach('none')
@AnyFields()
@ApiExcludeController()
export class DocsController {
  constructor(private readonly files: DocsFiles) {}

  @Get()
  home(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.files.respond(request, response);
  }

  @Get('*path')
  page(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.files.respond(request, response);
  }
}
