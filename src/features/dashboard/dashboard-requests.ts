import { publicOrigin, requestOrigin } from '../../platform/http/public-origin.js';
import type { NextFunction, Request, Response } from 'express';
import type { Config } from '../../platform/config/config.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import type { DashboardLimiter } from './dashboard-limiter.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on what comes in below `/dashboard/api`: a person in a browser asks, and no API key is looked at. */
    dashboard?: {
      /** The id in `/dashboard/api/accounts/{accountId}`, as it was sent; missing elsewhere. */
      accountId?: string;
    };
  }
}

const API = /^\/dashboard\/api(?:\/|$)/i;
const ACCOUNT = /^\/dashboard\/api\/accounts\/([^/]+)(\/v1(?:\/.*)?)?(?:\/|$)/is;
const RECEIVER = /^\/dashboard\/receivers\//i;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A header that no form of another site can send, and that fetch sends across origins only if CORS lets it. */
const REQUEST_HEADER = 'x-dashboard-request';

/** Whether the request is for the dashboard or its API, which CORS never opens. Whatever the case: what is refused stays refused. */
export function isForDashboard({ path }: Request): boolean {
  return /^\/dashboard(?:\/|$)/i.test(path);
}

/**
 * What everything below `/dashboard/api` has in common: a change must come from a page of ours, answers are kept by no
 * cache, an API key counts for nothing, what needs no account is limited, and `/dashboard/api/accounts/{accountId}/v1/…`
 * is `/v1/…` itself. Mount it before the routes.
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
    // Other sites may neither show nor read any of it; of /v1 those of CORS_ORIGINS may.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    if (!API.test(request.path)) {
      next(RECEIVER.test(request.path) ? limiter.take(clientAddressOf(request)) : undefined);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    if (!READS.has(request.method) && !isFromOurPages(request, config)) {
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
    // Written otherwise it has no route, and is 404.
    if (v1 !== undefined && request.path.startsWith('/dashboard/api/accounts/')) {
      request.url = v1 + searchOf(request.url);
    }
    next();
  };
}

function isFromOurPages(request: Request, config: Pick<Config, 'publicUrl'>): boolean {
  const { origin } = request.headers;
  if (request.headers[REQUEST_HEADER] !== '1' || origin === undefined) return false;
  return origin === requestOrigin(request) || origin === publicOrigin(request, config);
}

/** The answer to a change that another site may have sent by the browser of somebody who is signed in. */
export function fromElsewhere(): AppError {
  return new AppError(
    'forbidden',
    'This change does not come from the dashboard itself. Load the page again; behind a proxy, set PUBLIC_URL to the address in the browser. Programs use /v1 with an API key.',
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
