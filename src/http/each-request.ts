import type { NextFunction, Request, Response } from 'express';
import type { Exchanges } from './exchanges.js';

/** Something to do at the beginning of every request. Must not throw. */
export type RequestStep = (request: Request, response: Response) => void;

/** All steps as one middleware: each of its own would cost another turn through Express' router. */
export function eachRequest(exchanges: Exchanges, ...steps: readonly RequestStep[]) {
  return (request: Request, response: Response, next: NextFunction): void => {
    exchanges.begin(request, response, () => {
      for (const step of steps) step(request, response);
      next();
    });
  };
}
