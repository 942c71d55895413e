import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, string | number>;
  /** Attributes of the process that created the span. */
  resource: Record<string, string | number>;
}

/** An OpenTelemetry collector that accepts OTLP over HTTP, as protobuf. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly headers: IncomingHttpHeaders[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        collector.headers.push(request.headers);
        if (request.url === '/v1/traces') collector.spans.push(...spansOf(body));
        response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
      });
    });
    const collector = new TraceCollector(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Returns the fields of a protobuf message by number: bytes for texts and messages, otherwise numbers. */
function fieldsOf(bytes: Buffer): Map<number, (Buffer | number)[]> {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const key = varint();
    const read = { 0: varint, 1: () => take(8), 2: () => take(varint()), 5: () => take(4) }[
      key & 7
    ];
    if (!read) throw new Error('This is not protobuf.');
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), read()]);
  }
  return fields;
}

const messagesOf = (bytes: Buffer, field: number) =>
  (fieldsOf(bytes).get(field) ?? []).filter((value) => typeof value !== 'number');
const textOf = (bytes: Buffer, field: number, encoding: BufferEncoding = 'utf8') =>
  messagesOf(bytes, field)[0]?.toString(encoding) ?? '';

/** See opentelemetry/proto/trace/v1/trace.proto for the numbers. */
function spansOf(body: Buffer): CollectedSpan[] {
  return messagesOf(body, 1).flatMap((resourceSpans) => {
    const resource = Object.assign(
      {},
      ...messagesOf(resourceSpans, 1).map((one) => attributesOf(one, 1)),
    ) as CollectedSpan['resource'];
    const spans = messagesOf(resourceSpans, 2).flatMap((scope) => messagesOf(scope, 2));
    return spans.map((span) => ({
      name: textOf(span, 5),
      traceId: textOf(span, 1, 'hex'),
      spanId: textOf(span, 2, 'hex'),
      parentSpanId: textOf(span, 4, 'hex'),
      attributes: attributesOf(span, 9),
      resource,
    }));
  });
}

function attributesOf(message: Buffer, field: number): Record<string, string | number> {
  return Object.fromEntries(
    messagesOf(message, field).map((pair) => {
      const value = fieldsOf(messagesOf(pair, 2)[0] ?? Buffer.alloc(0));
      const [first] = [...value.values()].flat();
      return [textOf(pair, 1), typeof first === 'number' ? first : (first?.toString() ?? '')];
    }),
  );
}
