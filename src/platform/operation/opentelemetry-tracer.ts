import { createRequire } from 'node:module';
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Tracer as OpenTelemetry,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Request, Response } from 'express';
import { within } from '../basics/clock/time-limit.js';
import { routeOf } from '../http/request-log.middleware.js';
import type { Log } from './log.js';
import { useTracer, type SpanAttributes, type Tracer, type WithinSpan } from './tracing.js';

/** Maximum time to wait for the last spans at the end of the process, in ms. */
const FLUSH_WITHIN_MS = 3_000;

/** W3C Trace Context: version, trace, span, flags, and additions of later versions. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * Starts sending traces to OTEL_EXPORTER_OTLP_ENDPOINT; the packages read the other OpenTelemetry variables themselves.
 * Returns a function that sends the last spans. See docs/adr/0019-audit-log-request-log-and-observability.md.
 */
export function startTracing(log: Log, attributes: Record<string, string>): () => Promise<void> {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'document-service', ...attributes }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = loggingFailures(new OTLPTraceExporter(), log);
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // Send no trace context to receivers and models, because others operate them.
  provider.register({ propagator: null });
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new UndiciInstrumentation({
        requireParentforSpans: true,
        // Paths and queries of receivers can contain secrets.
        startSpanHook: ({ origin }) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' }),
      }),
    ],
  });
  // An import has already loaded pg without the instrumentation noticing. Requiring it now lets the instrumentation wrap
  // the same class.
  createRequire(import.meta.url)('pg');
  useTracer(new OpenTelemetryTracer(provider.getTracer('document-service')));
  return async () => {
    useTracer(undefined);
    await within(FLUSH_WITHIN_MS, provider.shutdown(), () => new Error('late')).catch(
      () => undefined,
    );
  };
}

class OpenTelemetryTracer implements Tracer {
  constructor(private readonly tracer: OpenTelemetry) {}

  request(request: Request, response: Response, handle: () => void): void {
    const { method } = request;
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
    const span = this.tracer.startSpan(method, options, callerOf(request));
    request.traceId = span.spanContext().traceId;
    response.on('close', () => {
      const route = routeOf(request);
      const status = response.statusCode;
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        'document_service.request_id': request.requestId,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(ROOT_CONTEXT, span), handle);
  }

  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
    outcome?: (result: Result) => SpanAttributes,
  ): Promise<Result> {
    return this.tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        const result = await work();
        if (outcome) span.setAttributes(outcome(result));
        return result;
      } catch (error) {
        // Error messages can contain customer content.
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  carry(): WithinSpan {
    const caller = context.active();
    return (work) => context.with(caller, work);
  }
}

/** Returns the client's span, if the client sent one. */
function callerOf({ headers }: Request): Context {
  const { traceparent } = headers;
  const [, traceId, spanId, flags] =
    typeof traceparent === 'string' ? (TRACEPARENT.exec(traceparent) ?? []) : [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '', 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/**
 * Logs once when the collector stops accepting spans, and once when it accepts them again. Spans in between are dropped
 * at no cost.
 */
function loggingFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !failing) {
          const reason = result.error?.message;
          log.warn(
            { reason },
            'The collector does not accept traces; they are lost until it does.',
          );
        } else if (!fails && failing) {
          log.info({}, 'The collector accepts traces again.');
        }
        failing = fails;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
