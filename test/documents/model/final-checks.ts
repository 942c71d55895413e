import { applyPatch } from 'diff';
import type { DataSource } from 'typeorm';
import type { ApiClient } from '../../support/api-client.js';
import { differing, versionDifferences } from './response-checks.js';
import type { DocumentState, KeyName } from './model-types.js';
import type { Session } from './session.js';

/** Ids of an account and its keys, stored and public. */
export interface AccountIds {
  accountId: string;
  stored: Record<KeyName, string>;
  public: Record<KeyName, string>;
}

/** Checks every version of every existing document, and that each diff leads from one version to the next. */
export async function chainDifferences(session: Session, api: ApiClient): Promise<string[]> {
  const { model, account } = session;
  const live = [...model.documents.values()].filter(({ deletedAt }) => deletedAt === undefined);
  const total = (await api.listDocuments({ limit: 1 })).body.meta.pagination.total as number;
  const found = differing('documents in the list', total, live.length);
  for (const document of live) {
    const path = `/v1/documents/${account.ids.get(document.ref) ?? ''}/versions`;
    const response = await api.list(path, { order: 'asc', limit: 100 });
    const listed = (response.body.data as { number: number }[]).map(({ number }) => number);
    const numbers = document.versions.map(({ number }) => number);
    found.push(...differing(path, listed, numbers.slice(0, 100)));
    for (const version of document.versions) {
      const read = await api.send('GET', `${path}/${String(version.number)}`);
      found.push(...versionDifferences(version, read, account));
    }
    found.push(...(await diffDifferences(document, path, api)));
  }
  return found;
}

async function diffDifferences(
  { versions }: DocumentState,
  path: string,
  api: ApiClient,
): Promise<string[]> {
  const [first, last] = [versions[0], versions.at(-1)];
  if (!first || !last || first === last) return [];
  const response = await api.send('GET', `${path}/${String(last.number)}/diff?against=1`);
  const { unified } = (response.body.data as { content: { unified: string } }).content;
  const patched =
    unified === ''
      ? first.content
      : applyPatch(first.content, unified, { autoConvertLineEndings: false });
  return differing(`diff of ${path}`, patched, last.content);
}

/** Checks every event, in the order of its document. */
export async function eventDifferences(
  { model, account }: Session,
  ids: AccountIds,
  api: ApiClient,
): Promise<string[]> {
  const expected = model.events.map(({ ref, type, at, version, more, key, requestId }) => ({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      document: {
        id: account.ids.get(ref),
        type: version.type,
        status: version.status,
        version: version.number,
        ...(model.has(ref) ? {} : { removed: true }),
      },
      ...more,
    },
    key: ids.public[key],
    requestId,
  }));
  const actual: typeof expected = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await api.listEvents({ order: 'asc', limit: 100, cursor });
    for (const event of body.data) {
      const { type, timestamp, data, actor, requestId } = event;
      actual.push({ type, timestamp, data, key: actor.keyId as string, requestId });
    }
    cursor = body.meta.pagination.nextCursor as string | null;
  } while (cursor);
  return byDocument(actual, expected, ({ data }) => data.document.id ?? '');
}

/** Checks every audit log entry, in the order of its document. */
export async function auditDifferences(
  { model, account }: Session,
  ids: AccountIds,
  dataSource: DataSource,
  uuidOf: (id: string) => string,
): Promise<string[]> {
  const expected = model.entries.map(({ ref, action, at, details, key, requestId }) => ({
    resource: uuidOf(account.ids.get(ref) ?? ''),
    action,
    at: new Date(at).toISOString(),
    details,
    key: key === undefined ? null : ids.stored[key],
    requestId: requestId ?? null,
  }));
  const rows: {
    resource: string;
    action: string;
    at: Date;
    details: object;
    key: string;
    requestId: string;
  }[] = await dataSource.query(
    `SELECT resource_id AS resource, action, created_at AS at, details, key_id AS key, request_id AS "requestId"
       FROM audit_log WHERE account_id = $1 ORDER BY created_at, id`,
    [ids.accountId],
  );
  const actual = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  return byDocument(actual, expected, ({ resource }) => resource);
}

function byDocument<Item>(
  actual: Item[],
  expected: Item[],
  documentOf: (item: Item) => string,
): string[] {
  const [found, wanted] = [grouped(actual, documentOf), grouped(expected, documentOf)];
  return [...new Set([...found.keys(), ...wanted.keys()])].flatMap((document) =>
    differing(document, found.get(document), wanted.get(document)),
  );
}

function grouped<Item>(items: Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}
