import type { NextFunction, Request, Response } from 'express';

/** Files of swagger-ui-dist that the page needs, with their media types; nothing else of the package is served. */
export const VIEWER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Files of our own beside the page, in `reference-page/`. */
export const OWN_FILES: Readonly<Record<string, string>> = {
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
};

/** Nothing from anywhere else, nothing inline, no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** People type /docs/ as well as /docs; every other path has one spelling. */
export function leadToReferencePage(
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (request.path === '/docs/') response.redirect(308, '/docs');
  else next();
}
