import { Controller, Get, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../access/auth/authentication.js';
import { Config } from '../../../../platform/config/config.js';
import { AnyFields } from '../../../../platform/http/envelope/unknown-fields.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Refuses, WithoutEnvelope } from '../../../../platform/openapi/route-decorators.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { OidcAttempts, OidcSignIn } from './oidc-sign-in.js';
import { answerRefused, noProvider, OidcClient } from './oidc-client.js';
import { OIDC } from '../sessions.refusals.js';

const CALLBACK = '/dashboard/api/oidc/callback';
const HOME = '/dashboard/';

/** Sign-in with an OpenID Connect provider. The browser navigates to the provider and back. */
@ApiTags('session')
@Public()
@AnyFields()
@Controller({ path: 'dashboard/api/oidc', version: VERSION_NEUTRAL })
export class OidcController {
  constructor(
    private readonly client: OidcClient,
    private readonly attempts: OidcAttempts,
    private readonly signIn: OidcSignIn,
    private readonly browser: BrowserSessions,
    private readonly config: Config,
  ) {}

  @Get('start')
  @WithoutEnvelope()
  @ApiOperation({ summary: 'Sign in with the OpenID Connect provider', operationId: 'startOidc' })
  @ApiQuery({
    name: 'next',
    required: false,
    description: 'The path below /dashboard/ to open after sign-in.',
  })
  @ApiFoundResponse({ description: 'Redirects to the provider.' })
  @Refuses(OIDC.start)
  async start(
    @Query('next') next: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.navigate(request, response, async () => {
      const { url, attempt } = await this.client.begin(this.origin + CALLBACK);
      this.attempts.keep({ ...attempt, next: safePath(next) }, request, response);
      return url.href;
    });
  }

  @Get('callback')
  @WithoutEnvelope()
  @ApiOperation({ summary: 'Complete the sign-in with the provider', operationId: 'finishOidc' })
  @ApiFoundResponse({ description: 'Signed in. Redirects to the requested page.' })
  @Refuses(OIDC.finish)
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.navigate(request, response, async () => {
      const attempt = this.attempts.take(request, response);
      if (!attempt) throw answerRefused();
      const callback = new URL(request.originalUrl, this.origin);
      const user = await this.signIn.identify(await this.client.finish(callback, attempt));
      await this.browser.begin(user, 'oidc', request, response);
      return attempt.next;
    });
  }

  /** Sends the browser on. A person is told on the sign-in page what went wrong, a program by the failure itself. */
  private async navigate(
    request: Request,
    response: Response,
    where: () => Promise<string>,
  ): Promise<void> {
    try {
      response.redirect(await where());
    } catch (error) {
      if (!(error instanceof AppError) || request.accepts(['json', 'html']) !== 'html') throw error;
      const code = error.details?.['code'];
      const reason = typeof code === 'string' ? code : error.kind;
      response.redirect(`${HOME}sign-in?error=${encodeURIComponent(reason)}`);
    }
  }

  /** A start refuses a provider without PUBLIC_URL: by the header Host anybody could have it send people elsewhere. */
  private get origin(): string {
    const { publicUrl } = this.config;
    if (publicUrl === undefined) throw noProvider();
    return publicUrl;
  }
}

/** The path, if it leads to a page of the dashboard: nobody may send people elsewhere by our sign-in. */
export function safePath(next: unknown): string {
  if (typeof next !== 'string' || /[\\\p{Cc}]/u.test(next) || !next.startsWith(HOME)) return HOME;
  const base = 'http://service.invalid';
  if (!URL.canParse(next, base)) return HOME;
  const { origin, pathname, search, hash } = new URL(next, base);
  const isPage =
    pathname.startsWith(HOME) && !/^\/dashboard\/(api|receivers)(\/|$)/i.test(pathname);
  return origin === base && isPage ? pathname + search + hash : HOME;
}
