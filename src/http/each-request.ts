import type { NextFunction, Request, Response } from 'express';

/** Something to do at the beginning of every request. Must not throw. */
export type RequestStep = (request: Request, response: Response) => void;

/** All steps as one middleware: each of its own would cost another turn through Express' router. */
export function eachRequest(...steps: readonly RequestStep[]) {
  return (request: Request, response: Response, next: NextFunction): void => {
    for (const step of steps) step(request, response);
    next();
  };
}
