import type { Socket } from 'node:net';
import { DecoratorHandler, type Dispatcher } from 'undici';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Maximum number of informational responses (1xx) before the final one. */
const MAX_INFORMATIONAL = 8;
/** Maximum bytes of names and values in all headers of an exchange. undici allows 16 KiB in one response. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** A server sent more than a response may contain. The message completes "The server sent …". */
export class ResponseLimitError extends Error {
  override readonly name = 'ResponseLimitError';
}

/** Fails exchanges with too many informational responses, or too large headers. Passes on only the final response. */
export const limitHeaders: Dispatcher.DispatcherComposeInterceptor = (dispatch) =>
  function withLimits(options, handler) {
    return dispatch(options, new LimitedHeaders(handler));
  };

/** The method of undici's handler that {@link LimitedHeaders} overrides. The types of undici omit it. */
interface ForwardingHandler {
  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
    message?: string,
  ): void;
}
const Forwarding = DecoratorHandler as unknown as new (
  handler: Dispatcher.DispatchHandler,
) => ForwardingHandler;

class LimitedHeaders extends Forwarding {
  private informational = 0;
  private headerBytes = 0;

  override onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
    message?: string,
  ): void {
    this.headerBytes += bytesOf(headers);
    if (status < 200) this.informational += 1;
    if (this.informational > MAX_INFORMATIONAL) {
      controller.abort(
        new ResponseLimitError(
          `more than ${String(MAX_INFORMATIONAL)} informational responses (status 1xx)`,
        ),
      );
    } else if (this.headerBytes > MAX_HEADER_BYTES) {
      controller.abort(new ResponseLimitError(`more than ${inKiB(MAX_HEADER_BYTES)} of headers`));
    } else if (status >= 200) {
      super.onResponseStart(controller, status, headers, message);
    }
  }
}

/**
 * Destroys a connection that has received more than `maxBytes` for one request. Counts everything, because some parts of
 * HTTP/1.1 have no limit of their own: reason phrases, chunk extensions, spaces before a value, line breaks before a
 * response. Requests must not be pipelined.
 */
export function limitReceivedBytes(socket: Socket, maxBytes: number): void {
  let received = 0;
  let written = 0;
  // Next to undici's 'readable' listener, this one only sees what undici reads.
  socket.on('data', ({ length }: Buffer) => {
    if (socket.bytesWritten !== written) received = 0;
    written = socket.bytesWritten;
    received += length;
    if (received > maxBytes) {
      socket.destroy(new ResponseLimitError(`more than ${inKiB(maxBytes)} in one response`));
    }
  });
}

function bytesOf(headers: ResponseHeaders): number {
  return Object.entries(headers).reduce(
    (sum, [name, value = '']) =>
      sum + [value].flat().reduce((bytes, one) => bytes + name.length + one.length, 0),
    0,
  );
}

function inKiB(bytes: number): string {
  return `${String(bytes / 1024)} KiB`;
}
