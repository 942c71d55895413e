import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { FieldProblem } from '../../basics/errors/app-error.js';
import type { Pagination } from '../pagination/read-page.js';

/** A text that stands in an answer as a JSON string and is kept anyway, as the content of a document's version. */
export interface KeptText {
  text: string;
  /** UUID. */
  documentId: string;
  version: number;
}

export interface ApiResponseExtras {
  /** Path of the new resource; makes the answer a 201. */
  location?: string;
  /** Path of the job that does what was asked for; makes the answer a 202. */
  job?: string;
  /** Strong entity tag; a GET that names it in If-None-Match is answered 304. */
  etag?: string;
  pagination?: Pagination;
  warnings?: readonly FieldProblem[];
  /** Of the log of requests: for how long they are kept, and how many are not. */
  requestLog?: object;
  /** Whether the counts are of a part only. */
  totalIsLowerBound?: boolean;
  /** In the order in which they stand in the answer: what is stored of it refers to them. */
  keptTexts?: readonly KeptText[];
}

/** What a controller returns when there is more to say than plain data: JSON text for `data`, and headers or meta. */
export class ApiResponse {
  constructor(
    readonly json: string,
    readonly extras: ApiResponseExtras = {},
  ) {}
}

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
