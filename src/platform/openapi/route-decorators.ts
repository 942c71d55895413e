import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { AppError } from '../basics/errors/app-error.js';
import { IF_MATCH, IF_NONE_MATCH } from './headers.js';

/** An error of a route: a short summary, and the error itself as an example. */
export type Refusal = readonly [summary: string, error: AppError];

/** The errors of each route of a controller, by the name of its method, in the order they are documented. */
export type RouteRefusals = Readonly<Record<string, readonly Refusal[]>>;

export const REFUSALS = Symbol('refusals');
export const WITHOUT_ENVELOPE = Symbol('without envelope');

/** Documents the errors that only some routes have. The kind of each error determines its status. */
export const Refuses = (refusals: readonly Refusal[]) => SetMetadata(REFUSALS, refusals);

/** Documents the conditional headers of a route that changes a versioned resource. */
export const ApiPreconditions = () =>
  applyDecorators(ApiHeader(IF_MATCH), ApiHeader(IF_NONE_MATCH));

/** Marks a route whose response is not in the envelope, such as a file. */
export const WithoutEnvelope = () => SetMetadata(WITHOUT_ENVELOPE, true);
