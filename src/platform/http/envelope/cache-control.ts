import type { Response } from 'express';

/** Sets how caches may store a response that depends on the caller: a key, or a person in the dashboard. */
export function setCacheControl(response: Response, cacheControl: string): void {
  response.setHeader('Cache-Control', cacheControl).vary('Authorization, Cookie');
}
