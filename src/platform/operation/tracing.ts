import type { Request, Response } from 'express';

declare module 'express-serve-static-core' {
  interface Request {
    /** ID of the trace, if tracing is on. */
    traceId?: string;
  }
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** Creates spans. This file does not load OpenTelemetry; see `opentelemetry-tracer.ts`. */
export interface Tracer {
  /** Calls `handle` within the span of the request, which ends with its response. */
  request(request: Request, response: Response, handle: () => void): void;
  /** Returns a function that runs work within the caller's span. */
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
    outcome?: (result: Result) => SpanAttributes,
  ): Promise<Result>;
  /** Returns a function that runs work within the caller's span. */
  carry(): WithinSpan;
}

export type WithinSpan = <Result>(work: () => Result) => Result;

/** The tracer of this process; undefined if no collector is configured. */
let tracer: Tracer | undefined;

export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Calls `handle`, in a new span if tracing is on. */
export function traceRequest(request: Request, response: Response, handle: () => void): void {
  if (tracer) tracer.request(request, response, handle);
  else handle();
}

/** Runs `work`, in a new span if tracing is on. Span names contain no IDs; attributes may. */
export const traced: Tracer['span'] = (name, attributes, work, outcome) =>
  tracer ? tracer.span(name, attributes, work, outcome) : work();

/** Captures the caller's span for work on behalf of several callers. The work appears in the trace of one of them. */
export function spanOfCaller(): WithinSpan | undefined {
  return tracer?.carry();
}
