import type { NodeProcess } from './node-process.js';

/** A server and an account of it. */
export interface Participant {
  key: string;
  server: NodeProcess;
}

/** Sends a GET (or POST, with a body) as the participant's account. Returns the status, headers and parsed envelope. */
export async function callApi(
  { key, server }: Participant,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; envelope: Envelope }> {
  const response = await fetch(server.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as Envelope;
  return { status: response.status, headers: response.headers, envelope };
}

/** The parts of a response that the benchmark checks. */
export interface Envelope {
  data?: unknown;
  meta?: { requestId?: string; pagination?: { total?: number } };
}
