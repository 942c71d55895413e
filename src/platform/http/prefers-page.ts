import type { Request } from 'express';

/**
 * True if the client prefers HTML to JSON, as browsers do when a person opens an address. False for clients that accept
 * anything, such as programs, and for the scripts and styles of a page. The response must vary by `Accept`.
 */
export function prefersPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}
