import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { SecretBox, SecretUnreadableError } from '../../../platform/secrets/secret-box.js';
import { isSecure } from './session/browser-sessions.js';
import { Config } from '../../../platform/config/config.js';
import type { OidcAttempt } from './oidc/oidc-client.js';

const NAME = 'oidc';
const PATH = '/dashboard/api/oidc';
/** How long somebody may take at the provider. */
const LIFETIME_MS = 10 * 60 * 1000;
const SENT = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

/** An attempt, and the path of the page that is wanted. */
interface KeptAttempt extends OidcAttempt {
  next: string;
}

/**
 * Keeps what was begun in the browser that began it, encrypted, in a cookie of its own: no other browser can finish it,
 * and nothing is stored for those who never come back.
 */
@Injectable()
export class OidcAttempts {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  keep(attempt: KeptAttempt, request: Request, response: Response): void {
    const endsAt = this.clock.now().getTime() + LIFETIME_MS;
    const sealed = this.secretBox.seal(JSON.stringify({ ...attempt, endsAt }), NAME);
    const cookie = { ...this.attributes(request), maxAge: LIFETIME_MS };
    response.cookie(NAME, sealed.toString('base64url'), cookie);
  }

  /** What this browser has begun, this once; `undefined` when it has begun nothing, or too long ago. */
  take(request: Request, response: Response): KeptAttempt | undefined {
    const sent = SENT.exec(request.headers.cookie ?? '')?.[1];
    if (sent === undefined) return undefined;
    response.clearCookie(NAME, this.attributes(request));
    try {
      const text = this.secretBox.open(Buffer.from(sent, 'base64url'), NAME);
      const { endsAt, ...attempt } = JSON.parse(text) as KeptAttempt & { endsAt: number };
      return endsAt > this.clock.now().getTime() ? attempt : undefined;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
  }

  private attributes(request: Request) {
    const secure = isSecure(request, this.config);
    // Lax: the way back from the provider is a navigation that begins at another site.
    return { path: PATH, httpOnly: true, sameSite: 'lax', secure } as const;
  }
}
