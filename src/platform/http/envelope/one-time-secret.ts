import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

/** What a route says of the secret in its answer, which nothing keeps in a readable form. */
export interface OneTimeSecretRule {
  /** The field of `data` that holds the secret. In a replay of the answer it is null. */
  field: string;
  /** How to get another one, to continue "was shown once …;". */
  instead: string;
  /** Throws for a request that may not have this answer any more, although it is the retry of one that might. */
  check?(data: unknown, request: Request): void;
}

export const ONE_TIME_SECRET = Symbol('shown once');

/** The answer of the route shows a secret this once. A test fails for an answer with a secret that is not declared so. */
export const OneTimeSecret = (rule: OneTimeSecretRule) => SetMetadata(ONE_TIME_SECRET, rule);
