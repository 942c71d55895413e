import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { signatureProblem } from '../../../features/webhooks/signing/signature.js';
import { print, printJson, remark } from '../output.js';

interface ListenerOptions {
  /** 0 selects a free port. */
  port: number;
  host: string;
  /** Without secrets, signatures are not verified. */
  secrets: readonly string[];
  /** HTTP status of every response. */
  status: number;
  /** Prints one line of JSON per delivery instead of text. */
  json: boolean;
}

/** A delivery in the output. */
interface Shown {
  receivedAt: string;
  path: string;
  id: string | undefined;
  type: string | undefined;
  /** Number of deliveries with this ID so far. */
  time: number;
  signature: 'holds' | 'does not hold' | 'not checked';
  /** Why the signature is invalid. */
  problem: string | undefined;
  status: number;
  body: string;
}

const SIGNATURES: Readonly<Record<Shown['signature'], string>> = {
  holds: 'signature is valid',
  'does not hold': 'signature is invalid',
  'not checked': 'signature not verified',
};

const MAX_BODY_BYTES = 16 * 1024 ** 2;
/** Maximum number of IDs to remember, to count repeats. */
const MAX_IDS = 10_000;
const TOO_LARGE = 413;

/**
 * Receives deliveries and prints each one, until a signal ends the process or its output is closed. Throws an
 * `OperatorError` if it cannot listen.
 */
export async function listen(options: ListenerOptions): Promise<void> {
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    receive(request, response, times, options).catch(() => {
      // The sender disconnected and will retry.
      response.destroy();
    });
  });
  await listenOn(server, options);
  remark(opening(server, options));
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
    // The program that reads the output has ended, as `head` does.
    process.stdout.once('error', () => {
      resolve();
    });
  });
  server.close();
  server.closeAllConnections();
}

async function listenOn(server: Server, { port, host }: ListenerOptions): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, port, host);
  }
}

function listenFailure(error: unknown, port: number, host: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${String(port)} is in use by another program. Stop it, or choose another port with --port.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${String(port)} is not available to this user. Choose 1024 or higher with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`This machine has no address ${host}. Correct --host.`);
    default:
      return error;
  }
}

function opening(server: Server, { secrets, status }: ListenerOptions): string {
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  const checks = secrets.length === 0 ? ' Without --secret, signatures are not verified.' : '';
  return `Listening at http://${host}:${String(port)} on every path. Each delivery gets the status ${String(status)}.${checks} Press Ctrl-C to stop.`;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  times: Map<string, number>,
  options: ListenerOptions,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(TOO_LARGE, { Connection: 'close' }).end();
    return;
  }
  const shown = describe(request, body, times, options);
  response.writeHead(options.status, { 'Content-Type': 'text/plain' }).end();
  if (options.json) printJson(shown);
  else print(textOf(shown));
}

/** Returns the body, or `undefined` if it is larger than any delivery. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function describe(
  { headers, method = '', url = '' }: IncomingMessage,
  body: Buffer,
  times: Map<string, number>,
  { secrets, status }: ListenerOptions,
): Shown {
  const now = new Date();
  const id = headers['webhook-id']?.toString();
  const problem =
    secrets.length === 0 ? undefined : signatureProblem({ headers, body }, secrets, now);
  const verdict = problem === undefined ? 'holds' : 'does not hold';
  return {
    receivedAt: now.toISOString(),
    path: `${method} ${url}`,
    id,
    type: typeIn(body),
    time: countOf(id, times),
    signature: secrets.length === 0 ? 'not checked' : verdict,
    problem,
    status,
    body: body.toString('utf8'),
  };
}

function countOf(id: string | undefined, times: Map<string, number>): number {
  if (id === undefined) return 1;
  const count = (times.get(id) ?? 0) + 1;
  if (times.size >= MAX_IDS) times.clear();
  times.set(id, count);
  return count;
}

function typeIn(body: Buffer): string | undefined {
  const event = parse(body.toString('utf8'));
  const type = typeof event === 'object' && event !== null && 'type' in event && event.type;
  return typeof type === 'string' ? type : undefined;
}

function textOf(shown: Shown): string {
  const { receivedAt, path, id = 'no webhook-id', type = 'no event', time, status } = shown;
  const again = time > 1 ? ` (time ${String(time)})` : '';
  const because = shown.problem === undefined ? '' : `: ${shown.problem}`;
  const parsed = parse(shown.body);
  return printable(
    [
      `${receivedAt}  ${path}  ${type}  ${id}${again}`,
      `  ${SIGNATURES[shown.signature]}${because}; responded with ${String(status)}`,
      parsed === undefined ? shown.body : JSON.stringify(parsed, null, 2),
    ].join('\n'),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Escapes control and bidirectional characters, so that a sender cannot manipulate the terminal. */
function printable(text: string): string {
  return text.replace(
    /[^\P{Cc}\n]|\p{Bidi_Control}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
