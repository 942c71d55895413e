import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { AppError } from '../basics/errors/app-error.js';
import { IF_MATCH, IF_NONE_MATCH } from './headers.js';

/** A failure that a route has beside the ones every route has: the very error it throws, for the example. */
export interface Refusal {
  /** A few words, such as "Title missing". */
  summary: string;
  error: AppError;
}

export const REFUSALS = Symbol('refusals');
export const WITHOUT_ENVELOPE = Symbol('without envelope');

/** Documents a failure of this route by an error as it is thrown; its kind gives the status. Repeatable. */
export const Refuses =
  (summary: string, error: AppError): MethodDecorator =>
  (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    const below = (Reflect.getMetadata(REFUSALS, handler) ?? []) as Refusal[];
    // Decorators run from the lowest up; the document keeps the order in which they are written.
    Reflect.defineMetadata(REFUSALS, [{ summary, error }, ...below], handler);
  };

/** The route changes a resource that has versions, under the preconditions of the client. */
export const ApiPreconditions = () =>
  applyDecorators(ApiHeader(IF_MATCH), ApiHeader(IF_NONE_MATCH));

/** The route answers with something else than the envelope, such as a file. */
export const WithoutEnvelope = () => SetMetadata(WITHOUT_ENVELOPE, true);
