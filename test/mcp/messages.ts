import { request } from 'undici';

/** Sends a message unchanged, without the SDK's client. */
export const sendMessage =
  (origin: () => string) =>
  async (key: string | undefined, body: unknown, headers: Record<string, string> = {}) => {
    const response = await request(`${origin()}/mcp`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
    });
    const text = await response.body.text();
    const parsed: any = text === '' ? undefined : JSON.parse(text);
    return { status: response.statusCode, headers: response.headers, body: parsed };
  };

export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
export const callOf = (name: unknown, args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
