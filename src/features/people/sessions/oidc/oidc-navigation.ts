import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Config } from '../../../../platform/config/config.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { callbackRejected, noProvider, OidcClient } from './oidc-client.js';
import { OidcAttempts, OidcSignInService } from './oidc-sign-in.service.js';

const CALLBACK = '/dashboard/api/oidc/callback';
const HOME = '/dashboard/';

/** Redirects the browser to the provider and back. */
@Injectable()
export class OidcNavigation {
  constructor(
    private readonly client: OidcClient,
    private readonly attempts: OidcAttempts,
    private readonly signIn: OidcSignInService,
    private readonly browser: BrowserSessionsService,
    private readonly config: Config,
  ) {}

  /** Redirects to the provider. After the sign-in, the browser opens `next`. */
  async start(next: string, request: Request, response: Response): Promise<void> {
    await this.navigate(request, response, async () => {
      const { url, attempt } = await this.client.begin(this.origin + CALLBACK);
      this.attempts.keep({ ...attempt, next }, request, response);
      return url.href;
    });
  }

  /** Signs in the user that the provider names, and redirects to the page of the attempt. */
  async finish(request: Request, response: Response): Promise<void> {
    await this.navigate(request, response, async () => {
      const attempt = await this.attempts.take(request, response);
      if (!attempt) throw callbackRejected();
      const callback = new URL(request.originalUrl, this.origin);
      const person = await this.client.finish(callback, attempt);
      const user = await this.signIn.identify(person, await this.browser.userOf(request));
      await this.browser.begin(user, 'oidc', request, response);
      return attempt.next;
    });
  }

  /** Redirects the browser. On an error, redirects browsers to the sign-in page, and throws for programs. */
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

  /**
   * Throws without PUBLIC_URL, because the `Host` header could otherwise make the provider redirect people to another site.
   */
  private get origin(): string {
    const { publicUrl } = this.config;
    if (publicUrl === undefined) throw noProvider();
    return publicUrl;
  }
}

/** Returns the path if it is a page of the dashboard, otherwise the home page. Prevents open redirects. */
export function safePath(next: unknown): string {
  if (typeof next !== 'string' || /[\\\p{Cc}]/u.test(next) || !next.startsWith(HOME)) return HOME;
  const base = 'http://service.invalid';
  if (!URL.canParse(next, base)) return HOME;
  const { origin, pathname, search, hash } = new URL(next, base);
  const isPage =
    pathname.startsWith(HOME) && !/^\/dashboard\/(api|receivers)(\/|$)/i.test(pathname);
  return origin === base && isPage ? pathname + search + hash : HOME;
}
