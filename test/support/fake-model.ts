import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The part that tests read. */
export interface AskedBody {
  model?: string;
  system?: unknown;
  messages?: { role: string; content: unknown }[];
  stream?: boolean;
  temperature?: number;
  tools?: unknown;
  response_format?: { type: string };
}

/** A request that the model server received. */
export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: AskedBody;
  /** The instructions to the model, and the paragraphs it is shown. */
  system: string;
  paragraphs: string[];
}

/** How the server handles a request. */
export type ModelBehaviour = (asked: Asked, response: ServerResponse) => unknown;

/** An edit as models return it. Omitted fields get plain defaults. */
export interface RespondedEdit {
  paragraph?: number;
  find: string;
  before?: string;
  replace: string;
  reason?: string;
}

/** A real HTTP server with the parts of the OpenAI API that tests need. */
export class FakeModel {
  readonly asked: Asked[] = [];

  private constructor(
    private readonly server: Server,
    private behaviour: ModelBehaviour,
  ) {}

  static async start(behaviour: ModelBehaviour = edits()): Promise<FakeModel> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as AskedBody;
        const { url = '', headers } = request;
        const asked = { path: url, headers, body, ...shownIn(body) };
        model.asked.push(asked);
        void model.behaviour(asked, response);
      });
    });
    const model = new FakeModel(server, behaviour);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref().on('connection', (socket) => socket.unref());
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1`;
  }

  /** Forgets earlier requests, and handles the next ones like this. */
  behave(...behaviours: [ModelBehaviour, ...ModelBehaviour[]]): void {
    this.asked.length = 0;
    let turn = 0;
    this.behaviour = (asked, response) =>
      (behaviours[Math.min(turn++, behaviours.length - 1)] ?? behaviours[0])(asked, response);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function shownIn(body: AskedBody): { system: string; paragraphs: string[] } {
  const messages = body.messages ?? [];
  const textOf = (content: unknown): string =>
    typeof content === 'string'
      ? content
      : (content as { text: string }[]).map(({ text }) => text).join('');
  const system = textOf(
    messages.find(({ role }) => role === 'system')?.content ?? body.system ?? '',
  );
  const user = textOf(messages.find(({ role }) => role === 'user')?.content ?? '');
  const paragraphs = user.split(/^=== \S+ (?:paragraph \d+|document|end).*\n?/m).slice(1, -1);
  return { system, paragraphs: paragraphs.map((text) => text.replace(/\n$/, '')) };
}

const USAGE = { prompt_tokens: 300, completion_tokens: 40, total_tokens: 340 };

/** Responds with these edits. */
export function edits(...responded: RespondedEdit[]): ModelBehaviour {
  return says(
    JSON.stringify({
      edits: responded.map((edit) => ({
        paragraph: 1,
        before: '',
        reason: 'It is better.',
        ...edit,
      })),
    }),
  );
}

/** Responds with this text, in pieces if the client requested a stream. */
export function says(text: string, usage: object | null = USAGE): ModelBehaviour {
  return (asked, response) => {
    if (asked.body.stream !== true) return plainly(text)(asked, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < text.length; at += 40) {
      response.write(
        chunk({ choices: [{ index: 0, delta: { content: text.slice(at, at + 40) } }] }),
      );
    }
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    if (usage) response.write(chunk({ choices: [], usage }));
    response.end('data: [DONE]\n\n');
    return undefined;
  };
}

/** Responds with this text, as Anthropic's API streams it. */
export function saysAsAnthropic(text: string): ModelBehaviour {
  return (_, response) => {
    const usage = { input_tokens: 300, output_tokens: 40 };
    const parts = [
      {
        type: 'message_start',
        message: { id: 'x', type: 'message', role: 'assistant', model: 'fake', content: [], usage },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) {
      response.write(`event: ${part.type}\ndata: ${JSON.stringify(part)}\n\n`);
    }
    response.end();
  };
}

/** Responds in one piece, even if the client requested a stream. */
export function plainly(text: string): ModelBehaviour {
  return (_, response) => {
    const message = { role: 'assistant', content: text };
    const body = { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** Starts a stream, then closes the connection. */
export function breaksOff(text: string): ModelBehaviour {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ choices: [{ index: 0, delta: { content: text } }] }), () => {
      setImmediate(() => response.destroy());
    });
  };
}

/** Sends text that never ends. */
export const endless: ModelBehaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const piece = chunk({ choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) } }] });
  const write = () => {
    while (!response.destroyed && response.write(piece)) continue;
    response.once('drain', write);
  };
  write();
};

/** Responds with a refusal or a failure. */
export function status(
  code: number,
  headers: Record<string, string> = {},
  message = 'no',
): ModelBehaviour {
  return (_, response) => {
    const body = JSON.stringify({ error: { message, type: 'error', code: null } });
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Reads the request and never responds. */
export const silent: ModelBehaviour = () => undefined;

function chunk(piece: object): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fake', ...piece })}\n\n`;
}
