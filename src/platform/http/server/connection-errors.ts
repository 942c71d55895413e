import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_STATUS, failureEnvelope } from '../envelope/envelope.js';
import { AppError } from '../../basics/errors/app-error.js';
import { newId } from '../../basics/identifiers/identifiers.js';
import type { Exchanges } from './exchanges.js';
import type { Log } from '../../operation/log.js';
import { documentationOrigin } from '../public-origin.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The body may take longer than usual. Its reader enforces a minimum speed. */
    mayTakeLong?: boolean;
  }
}

/**
 * Sends an error response in the envelope when no handler can: unreadable or oversized headers, an invalid request line,
 * a truncated body, slow headers, an unsupported expectation or method. For a truncated body, `exchanges` provides the
 * request ID.
 */
export function respondToConnectionErrors(
  server: Server,
  exchanges: Exchanges,
  log: Log,
  now: () => Date,
  publicUrl: string | undefined,
): void {
  const contextFor = (request: IncomingMessage | undefined) => ({
    log,
    now,
    origin: request ? documentationOrigin(request, { publicUrl }) : publicUrl,
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const exchange = exchanges.on(socket);
    const underWay = exchange && !exchange.response.writableEnded ? exchange : undefined;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && underWay?.request.mayTakeLong) return;
    // Another response has been started, or the client has disconnected.
    if (!socket.writable || error.code === 'ECONNRESET' || underWay?.response.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = underWay?.request.requestId;
    respondRaw(
      socket,
      failureOf(error.code),
      requestId ?? newId('request'),
      contextFor(underWay?.request),
    );
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const failure = new AppError(
      'expectation_failed',
      'Only the expectation 100-continue is supported. Leave out the Expect header.',
    );
    const requestId = newId('request');
    const origin = documentationOrigin(request, { publicUrl });
    const body = failureEnvelope(failure, { requestId, now: now(), origin });
    response.writeHead(ERROR_STATUS[failure.kind].status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      Connection: 'close',
    });
    response.end(body);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const failure = new AppError(
      'method_not_allowed',
      'This server is not a proxy; the method CONNECT is not supported.',
    );
    respondRaw(socket, failure, newId('request'), contextFor(request));
  });
}

function failureOf(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'headers_too_large',
        'The request headers are too large. Send at most 16 KiB.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request took too long to arrive. Send it again.');
    case 'HPE_INVALID_EOF_STATE':
      return new AppError(
        'bad_request',
        'The request ended before it was complete. Send it again.',
      );
    default:
      return new AppError(
        'bad_request',
        'This is not a readable HTTP request. Check the request line and the headers.',
      );
  }
}

function respondRaw(
  socket: Duplex,
  failure: AppError,
  requestId: string,
  context: { log: Log; now: () => Date; origin: string | undefined },
): void {
  const { log, origin } = context;
  const now = context.now();
  const { status } = ERROR_STATUS[failure.kind];
  const body = failureEnvelope(failure, { requestId, now, origin });
  log.info({ requestId, status }, 'connection error');
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\n` +
      `X-Request-Id: ${requestId}\r\n` +
      `Date: ${now.toUTCString()}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
