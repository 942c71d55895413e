import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/basics/clock/clock.js';
import { publicOrigin, requestOrigin } from '../../platform/http/public-origin.js';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../../platform/config/config.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { ClientLimiter } from '../../platform/network/client-limiter.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on requests below `/dashboard/api`, which come from a person's browser and ignore API keys. */
    dashboard?: {
      /** The raw id in `/dashboard/api/accounts/{accountId}`; missing elsewhere. */
      accountId?: string;
    };
  }
}

/**
 * Limits dashboard requests outside an account, because each costs a lookup and anyone can invent a session or token.
 * High enough for a whole office. Requests of members within an account have limits per user instead.
 */
@Injectable()
export class DashboardLimiter extends ClientLimiter {
  constructor(clock: Clock) {
    const message = 'Too many requests came from your network. Wait a moment and try again.';
    super({ burst: 600, perSecond: 30, message }, clock);
  }
}

const API = /^\/dashboard\/api(?:\/|$)/i;
const ACCOUNT = /^\/dashboard\/api\/accounts\/([^/]+)(\/v1(?:\/.*)?)?(?:\/|$)/is;
const RECEIVER = /^\/dashboard\/receivers\//i;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A header that forms of other sites cannot send, and that cross-origin fetch can send only if CORS allows it. */
const REQUEST_HEADER = 'x-dashboard-request';

/** True for requests to the dashboard or its API, which CORS never allows. Ignores case, so no spelling bypasses it. */
export function isForDashboard({ path }: Request): boolean {
  return /^\/dashboard(?:\/|$)/i.test(path);
}

/**
 * Returns middleware for everything below `/dashboard/api`. Mount it before the routes.
 *
 * - Changes must come from a page of this origin.
 * - Responses are not cached.
 * - API keys are ignored.
 * - Requests outside an account are rate-limited.
 * - `/dashboard/api/accounts/{accountId}/v1/…` is rewritten to `/v1/…`.
 */
export function receiveDashboardRequests(
  config: Pick<Config, 'publicUrl'>,
  limiter: DashboardLimiter,
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isForDashboard(request)) {
      next();
      return;
    }
    // Other sites must not embed or read any of this. For /v1, CORS_ORIGINS can allow it.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    if (!API.test(request.path)) {
      next(RECEIVER.test(request.path) ? limiter.take(clientAddressOf(request)) : undefined);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    if (!READS.has(request.method) && !isFromDashboard(request, config)) {
      next(fromElsewhere());
      return;
    }
    delete request.headers.authorization;
    const [, accountId, v1] = ACCOUNT.exec(request.path) ?? [];
    const refused = accountId === undefined && limiter.take(clientAddressOf(request));
    if (refused) {
      next(refused);
      return;
    }
    request.dashboard = accountId === undefined ? {} : { accountId };
    // Other spellings have no route and return 404.
    if (v1 !== undefined && request.path.startsWith('/dashboard/api/accounts/')) {
      request.url = v1 + searchOf(request.url);
    }
    next();
  };
}

function isFromDashboard(request: Request, config: Pick<Config, 'publicUrl'>): boolean {
  const { origin } = request.headers;
  if (request.headers[REQUEST_HEADER] !== '1' || origin === undefined) return false;
  return origin === requestOrigin(request) || origin === publicOrigin(request, config);
}

/** The error for a change that another site may have sent through a signed-in user's browser (CSRF). */
function fromElsewhere(): AppError {
  return new AppError(
    'forbidden',
    'This change did not come from the dashboard. Reload the page. Behind a proxy, set PUBLIC_URL to the address shown in the browser. Programs must use /v1 with an API key.',
    {
      field: 'Origin',
      issue: 'is not the origin of this service, or X-Dashboard-Request: 1 is missing',
    },
  );
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
