import type { Participant } from '../participant.js';
import { callApi } from '../participant.js';
import { MINUTE_LIMIT } from './tenants.js';
import type { Side } from './sides.js';
import { Draw, ordinaryDocuments } from './texts.js';

const COMPARED_SEARCHES = 30;
const LOG_ATTEMPTS = 200;

/** Runs the same searches on all sides. They must find the same documents, or one side has less to do. */
export async function compareSearches(
  sides: readonly Side[],
  baseline: Side,
  seed: number,
): Promise<string[]> {
  const problems: string[] = [];
  const draw = new Draw(seed);
  for (let n = 0; n < COMPARED_SEARCHES; n += 1) {
    const tenant = draw.below(baseline.tenants.length);
    const path = `/v1/documents?q=${draw.word()}+${draw.word()}`;
    const expected = await totalOf(baseline, tenant, path);
    for (const side of sides) {
      const total = await totalOf(side, tenant, path);
      if (total === expected) continue;
      const words = `${path} finds ${String(total)} documents, not ${String(expected)}.`;
      problems.push(`${side.label}: ${words}`);
    }
  }
  return problems;
}

async function totalOf(side: Side, tenant: number, path: string): Promise<number | undefined> {
  const { envelope } = await callApi(asAccount(side, tenant), path);
  return envelope.meta?.pagination?.total;
}

/** Checks that the service applies limits, writes events and logs, so it cannot win by omitting them. */
export async function checkBurdens(side: Side): Promise<string[]> {
  const service = asAccount(side, 0);
  const before = await callApi(service, '/v1/documents');
  const [document] = ordinaryDocuments(1, new Draw(1));
  const created = await callApi(service, '/v1/documents', document);
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
  return checks.filter(([holds]) => !holds).map(([, words]) => `${side.label}: ${words}`);
}

function asAccount({ server, tenants }: Side, index: number): Participant {
  return { server, key: tenants[index]?.key ?? '' };
}

/** Keeps sending requests, because a logger may buffer lines before it writes. */
async function appearsInLog(service: Participant, text: string): Promise<boolean> {
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt += 1) {
    if (service.server.readLog().includes(text)) return true;
    await callApi(service, '/v1/documents?limit=1');
  }
  return false;
}
