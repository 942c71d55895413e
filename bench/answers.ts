import { sampleDocuments } from './documents.js';
import type { Participant } from './participant.js';
import { callApi } from './participant.js';
import { PAGE_400 } from './scenarios.js';
import { MINUTE_LIMIT } from './service/start-service.js';

const LOG_ATTEMPTS = 200;

/**
 * Returns problems of a participant's responses before any load, one sentence each. The figures are only meaningful if
 * there are none. Call it before any create, and for the service with limits on.
 */
export async function checkAnswers(participant: Participant, documents: number): Promise<string[]> {
  const problems: string[] = [];
  const expect = (holds: boolean, words: string): void => {
    if (!holds) problems.push(`${participant.label}: ${words}`);
  };

  const first = await callApi(participant, '/v1/documents');
  const page = first.envelope.data as { id: string }[] | undefined;
  expect(first.status === 200 && page?.length === 20, 'the first page does not have 20 documents.');
  const total = first.envelope.meta?.pagination?.total;
  expect(
    total === documents,
    `the list counts ${String(total)} documents, not ${String(documents)}.`,
  );

  const deep = await callApi(participant, PAGE_400);
  expect((deep.envelope.data as unknown[] | undefined)?.length === 20, 'page 400 is not full.');

  const one = await callApi(participant, `/v1/documents/${page?.[0]?.id ?? ''}`);
  const content = (one.envelope.data as { content?: string } | undefined)?.content;
  expect(
    (content?.length ?? 0) >= 1_900,
    'reading one document does not return its 2 KB of content.',
  );

  const stranger = { ...participant, key: `${participant.key.slice(0, -8)}aaaaaaaa` };
  expect((await callApi(stranger, '/v1/documents')).status === 401, 'a wrong key is not refused.');
  return problems;
}

/** Checks that the service really applies limits, writes events and logs, so it cannot win by omitting them. */
export async function checkBurdens(service: Participant): Promise<string[]> {
  const before = await callApi(service, '/v1/documents');
  const created = await callApi(service, '/v1/documents', sampleDocuments(1)[0]);
  const events = await callApi(service, '/v1/events?limit=1');
  const remaining = (headers: Headers): number => Number(headers.get('x-ratelimit-remaining'));
  const counted = remaining(created.headers) < remaining(before.headers);
  const limit = Number(created.headers.get('x-ratelimit-limit'));
  const [event] = (events.envelope.data ?? []) as { type?: string }[];
  const isLogged = await appearsInLog(service, created.envelope.meta?.requestId ?? 'no request id');
  const checks: [boolean, string][] = [
    [counted && limit === MINUTE_LIMIT, 'requests do not count towards the limits.'],
    [event?.type === 'document.created', 'creating a document creates no event.'],
    [isLogged, 'requests are not logged.'],
  ];
  return checks.filter(([holds]) => !holds).map(([, words]) => `${service.label}: ${words}`);
}

/** Keeps sending requests, because a logger may buffer lines before it writes. */
async function appearsInLog(service: Participant, text: string): Promise<boolean> {
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt += 1) {
    if (service.server.readLog().includes(text)) return true;
    await callApi(service, '/v1/documents?limit=1');
  }
  return false;
}
