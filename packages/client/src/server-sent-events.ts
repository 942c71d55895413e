import { ConnectionError } from './errors.js';

/** A server-sent event, as in the HTML standard. */
interface Message {
  type: string;
  data: string;
  id: string | undefined;
  /** Delay before reconnecting in ms, if the service sets it. */
  retry: number | undefined;
}

/**
 * Yields the messages of a response until it ends. Throws {@link ConnectionError} if the connection breaks, or if nothing
 * arrives for `silenceMs`, not even a heartbeat.
 */
export async function* messagesOf(
  response: Response,
  silenceMs: number,
): AsyncGenerator<Message, void, undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A trailing carriage return may be half of a line break.
      const blocks = rest.replace(/\r\n|\r(?!$)/g, '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = messageOf(block);
        if (message) yield message;
      }
    }
  } finally {
    // Also runs when the consumer stops iterating.
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns `undefined` for a block of comments. */
function messageOf(block: string): Message | undefined {
  const message: Message = { type: 'message', data: '', id: undefined, retry: undefined };
  const data: string[] = [];
  let isEmpty = true;
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(data|event|id|retry)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (!field) continue;
    isEmpty = false;
    if (field === 'data') data.push(value);
    else if (field === 'event') message.type = value;
    else if (field === 'id') message.id = value;
    else if (/^\d+$/.test(value)) message.retry = Number(value);
  }
  message.data = data.join('\n');
  return isEmpty ? undefined : message;
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ConnectionError(`The stream sent nothing for ${String(ms)} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([reading, silence]);
  } catch (error) {
    throw error instanceof ConnectionError
      ? error
      : new ConnectionError('The stream was interrupted.', 1, error);
  } finally {
    clearTimeout(timer);
  }
}
