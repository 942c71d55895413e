import type { Request, Response } from 'express';

declare module 'express-serve-static-core' {
  interface Request {
    /** Of the trace that the request is part of, where there are traces. */
    traceId?: string;
  }
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** What makes spans. Nothing of this file loads OpenTelemetry: see `opentelemetry-tracer.ts`. */
export interface Tracer {
  /** Calls `handle` within the span of the request, which ends with its answer. */
  request(request: Request, response: Response, handle: () => void): void;
  /** Does `work` within a span; `outcome` says what the span tells of its result. */
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
    outcome?: (result: Result) => SpanAttributes,
  ): Promise<Result>;
  /** What puts work into the span of whoever calls now. */
  carry(): WithinSpan;
}

/** Does work within a span that was taken from somewhere else. */
export type WithinSpan = <Result>(work: () => Result) => Result;

/** Of this process, as its log is; undefined where the operator has no collector. */
let tracer: Tracer | undefined;

export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Calls `handle`, in a span of its own where there are traces. */
export function traceRequest(request: Request, response: Response, handle: () => void): void {
  if (tracer) tracer.request(request, response, handle);
  else handle();
}

/** Does `work`, in a span of its own where there are traces. Names hold no ids; attributes may. */
export const traced: Tracer['span'] = (name, attributes, work, outcome) =>
  tracer ? tracer.span(name, attributes, work, outcome) : work();

/** For work that is done for several callers at once: it shows in the trace of one of them. */
export function spanOfCaller(): WithinSpan | undefined {
  return tracer?.carry();
}
