import {
  Controller,
  Get,
  HttpCode,
  Post,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import { BodyReadBy } from '../../../platform/http/bodies/body.interceptor.js';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import type { CheckFields } from './check-fields.js';
import { CheckerAdmission, keyMissing } from './checker-admission.js';
import { CheckerLanguages } from './checker-languages.js';
import { CheckerService } from './checker.service.js';
import { MAX_TEXT_LENGTH } from './field-limits.js';
import { PlainTextFailureFilter } from './plain-text-failure.filter.js';

/**
 * The part of LanguageTool's API that editors use, without the envelope. Editors without a field for a key have it in the
 * path. The API document omits these routes, because LanguageTool's own description applies
 * (docs/guides/check-in-your-editor.md). Public for the guards: {@link CheckerAdmission} checks keys, limits and scopes.
 */
@Controller({ path: ['v2', 'lt/:key/v2'], version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public()
@Reach('none')
@AnyFields()
@UseFilters(PlainTextFailureFilter)
export class CheckerController {
  constructor(
    private readonly checker: CheckerService,
    private readonly supported: CheckerLanguages,
  ) {}

  @Post('check')
  @HttpCode(200)
  @BodyReadBy(CheckerAdmission)
  async check(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { principal } = request;
    if (!principal) throw keyMissing();
    const result = await this.checker.check(request.body as CheckFields, principal, response);
    send(response, 'application/json', result);
  }

  /** Some clients send short texts in the query. */
  @Get('check')
  @BodyReadBy(CheckerAdmission)
  checkQuery(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.check(request, response);
  }

  @Get('languages')
  @BodyReadBy(CheckerAdmission)
  async languages(@Res() response: Response): Promise<void> {
    send(response, 'application/json', JSON.stringify(await this.supported.list()));
  }

  @Get('maxtextlength')
  @BodyReadBy(CheckerAdmission)
  maxTextLength(@Res() response: Response): void {
    send(response, 'text/plain', String(MAX_TEXT_LENGTH));
  }

  @Get('healthcheck')
  @BodyReadBy(CheckerAdmission)
  healthCheck(@Res() response: Response): void {
    send(response, 'text/plain', 'OK');
  }
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(body);
}
