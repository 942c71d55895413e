import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { FieldProblem } from '../../basics/errors/app-error.js';
import type { Pagination } from '../pagination/read-page.js';

/** A text in a response that is also stored elsewhere, such as the content of a document version. */
export interface StoredText {
  text: string;
  /** UUID. */
  documentId: string;
  version: number;
}

export interface ApiResponseExtras {
  /** Path of the new resource; sets the status 201. */
  location?: string;
  /** Path of the job that does the work; sets the status 202. */
  job?: string;
  /** Strong entity tag. A GET with this tag in If-None-Match gets 304. */
  etag?: string;
  /** How caches may store the response, which then depends on the caller: see {@link setCacheControl}. */
  cacheControl?: string;
  pagination?: Pagination;
  warnings?: readonly FieldProblem[];
  /** Metadata of the request log: its retention, and how many requests are not stored. */
  requestLog?: object;
  /** True if counting stopped at a limit. */
  totalIsLowerBound?: boolean;
  /** In the order of the response; the stored copy of the response refers to them. */
  storedTexts?: readonly StoredText[];
}

/** A controller's return value that also sets headers or metadata. `json` is the JSON text of `data`. */
export class ApiResponse {
  constructor(
    readonly json: string,
    readonly extras: ApiResponseExtras = {},
  ) {}
}

/** Returns the response of a handler. Plain results become `data`. */
export function asApiResponse(result: unknown): ApiResponse {
  return result instanceof ApiResponse ? result : new ApiResponse(JSON.stringify(result ?? null));
}

/** Describes the secret in a response, which is not stored in readable form. */
export interface OneTimeSecretRule {
  /** Field of `data` with the secret. It is null when the response is replayed. */
  field: string;
  /** How to get another secret; completes the sentence "was shown once …;". */
  instead: string;
  /** Throws if the caller can no longer see this response, although the original request could. */
  check?(data: unknown, request: Request): void;
}

export const ONE_TIME_SECRET = Symbol('shown once');

/** Declares that the response contains a secret that is shown only once. A test fails for undeclared secrets. */
export const OneTimeSecret = (rule: OneTimeSecretRule) => SetMetadata(ONE_TIME_SECRET, rule);
