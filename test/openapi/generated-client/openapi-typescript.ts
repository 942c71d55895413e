// Code that a user of openapi-typescript and openapi-fetch writes, using nothing of ours: the generator creates
// `schema.d.ts`. Calls operations of every kind with the minimum that they need, and prints each response as a line of JSON.
import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const environment = (name: string) => process.env[name] ?? '';
const client = createClient<paths>({
  baseUrl: environment('DOCUMENT_SERVICE_URL'),
  headers: { Authorization: `Bearer ${environment('DOCUMENT_SERVICE_KEY')}` },
});

client.use({
  async onResponse({ request, response, schemaPath }) {
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    const reply = {
      method: request.method,
      path: schemaPath,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: isStream ? '' : await response.clone().text(),
    };
    console.log(JSON.stringify(reply));
  },
});

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

async function ok<T>(reply: Promise<Reply<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await reply;
  if (data !== undefined && data !== null) return data;
  throw new Error(`${response.url} answers ${String(response.status)}: ${JSON.stringify(error)}`);
}

/** Repeats the request until there is a result. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    await delay(50);
  }
}

function endOfJob({ id }: { id: string }): Promise<components['schemas']['Job']> {
  return eventually(async () => {
    const { data } = await ok(client.GET('/v1/jobs/{id}', { params: { path: { id } } }));
    return data.finishedAt === null ? undefined : data;
  });
}

async function service(): Promise<void> {
  const live = await ok(client.GET('/health/live'));
  const ready = await ok(client.GET('/health/ready'));
  const metrics: string = await ok(client.GET('/metrics', { parseAs: 'text' }));
  await ok(client.GET('/v1/openapi.json'));
  if (!metrics.includes('# HELP')) throw new Error(`${live.data.status} ${ready.data.status}`);
}

async function account(): Promise<void> {
  const { data: me } = await ok(client.GET('/v1/me'));
  const name: string = me.account.name;
  const { data: own } = await ok(client.GET('/v1/account'));
  await ok(client.PATCH('/v1/account', { body: { name } }));
  await ok(client.PATCH('/v1/account', { body: { ...own, name: `${name}!` } }));
  const { data: settings } = await ok(client.GET('/v1/analysis-settings'));
  await ok(client.PATCH('/v1/analysis-settings', { body: { provider: settings.provider } }));
  const { data: rules } = await ok(
    client.GET('/v1/analysis-rules', {
      params: { query: { category: ['grammar'], language: 'en', disabled: false, limit: 2 } },
    }),
  );
  const examples: (string | undefined)[] = rules.map(({ example }) => example?.wrong);
  if (examples.length !== 2) throw new Error('The list of rules has no two grammar rules.');
  await ok(client.GET('/v1/usage'));
  const query = { metric: 'requests', step: 'hour' } as const;
  const { data: series } = await ok(client.GET('/v1/usage/series', { params: { query } }));
  const counts: number[] = series.points.map(({ count }) => count);
  const since = { from: series.from, to: series.to };
  await ok(client.GET('/v1/usage/series', { params: { query: { ...query, ...since } } }));
  if (counts.length === 0) throw new Error('The series has no points.');
}

async function keys(): Promise<void> {
  const { data: created } = await ok(
    client.POST('/v1/keys', { body: { name: 'Reader', scopes: ['documents:read'] } }),
  );
  const path = { id: created.id };
  await ok(client.GET('/v1/keys'));
  const { data: read } = await ok(client.GET('/v1/keys/{id}', { params: { path } }));
  await ok(client.PATCH('/v1/keys/{id}', { params: { path }, body: { name: 'Renamed' } }));
  await ok(client.PATCH('/v1/keys/{id}', { params: { path }, body: { ...read, name: 'Back' } }));
  const { data: rotated } = await ok(client.POST('/v1/keys/{id}/rotate', { params: { path } }));
  await ok(client.DELETE('/v1/keys/{id}', { params: { path: { id: rotated.id } } }));
}

async function collections(): Promise<void> {
  const { data: created } = await ok(client.POST('/v1/collections', { body: { name: 'Reports' } }));
  const path = { id: created.id };
  const { data: read } = await ok(client.GET('/v1/collections/{id}', { params: { path } }));
  await ok(client.GET('/v1/collections', { params: { query: { include: 'counts' } } }));
  await ok(
    client.PATCH('/v1/collections/{id}', { params: { path }, body: { ...read, name: 'Old' } }),
  );
  await ok(client.DELETE('/v1/collections/{id}', { params: { path } }));
}

async function templates(): Promise<string> {
  const { data: created } = await ok(client.POST('/v1/templates', { body: { name: 'Letter' } }));
  const id: string = created.id;
  const path = { id };
  const { data: template } = await ok(client.GET('/v1/templates/{id}', { params: { path } }));
  await ok(client.GET('/v1/templates', { params: { query: { fields: ['name', 'type'] } } }));
  await ok(
    client.PATCH('/v1/templates/{id}', { params: { path }, body: { content: 'Dear {{name}}' } }),
  );
  await ok(client.PUT('/v1/templates/{id}', { params: { path }, body: { name: 'Note' } }));
  await ok(client.PUT('/v1/templates/{id}', { params: { path }, body: { ...created } }));
  await ok(client.POST('/v1/templates/{id}/preview', { params: { path } }));
  const { data: versions } = await ok(
    client.GET('/v1/templates/{id}/versions', { params: { path } }),
  );
  for (const { number } of versions.slice(-1)) {
    const params = { path: { id: template.id, number } };
    await ok(client.GET('/v1/templates/{id}/versions/{number}', { params }));
    await ok(client.POST('/v1/templates/{id}/versions/{number}/restore', { params }));
  }
  return id;
}

async function webhooks(): Promise<void> {
  const { data: webhook } = await ok(
    client.POST('/v1/webhooks', { body: { url: 'https://example.com/hook', events: ['*'] } }),
  );
  const path = { id: webhook.id };
  await ok(client.GET('/v1/webhooks'));
  const { data: read } = await ok(client.GET('/v1/webhooks/{id}', { params: { path } }));
  await ok(
    client.PATCH('/v1/webhooks/{id}', {
      params: { path },
      body: { headers: { 'X-Tenant': 'acme' }, filter: { types: ['report'] } },
    }),
  );
  await ok(client.PATCH('/v1/webhooks/{id}', { params: { path }, body: { ...read } }));
  await ok(client.POST('/v1/webhooks/{id}/rotate-secret', { params: { path } }));
  const { data: tested } = await ok(client.POST('/v1/webhooks/{id}/test', { params: { path } }));
  await ok(client.GET('/v1/webhooks/{id}/deliveries', { params: { path } }));
  await ok(client.GET('/v1/deliveries', { params: { query: { webhookId: webhook.id } } }));
  const params = { path: { id: webhook.id, deliveryId: tested.id } };
  const { data: delivery } = await ok(
    client.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params }),
  );
  await ok(client.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params }));
  await ok(
    client.POST('/v1/webhooks/{id}/recover', {
      params: { path },
      body: { since: delivery.createdAt },
    }),
  );
  await ok(client.DELETE('/v1/webhooks/{id}', { params: { path } }));
}

async function documents(templateId: string): Promise<string> {
  const { data: created } = await ok(client.POST('/v1/documents', { body: { title: 'One' } }));
  const id: string = created.id;
  const title: string = created.title;
  const path = { id };
  await ok(client.POST('/v1/documents', { body: { title: 'Of a template', templateId } }));
  const { data: document } = await ok(client.GET('/v1/documents/{id}', { params: { path } }));
  await ok(client.GET('/v1/documents', { params: { query: { q: title } } }));
  await ok(
    client.GET('/v1/documents', {
      params: {
        query: {
          ids: [id],
          fields: ['title', 'status'],
          status: ['draft', 'published'],
          createdAfter: '2020-01-01',
        },
      },
    }),
  );
  await ok(client.GET('/v1/documents', { params: { query: { metadata: { region: 'eu' } } } }));
  await ok(client.GET('/v1/documents/facets'));
  await ok(client.PATCH('/v1/documents/{id}', { params: { path }, body: { content: 'a b' } }));
  await ok(
    client.PATCH('/v1/documents/{id}', {
      params: { path },
      body: { content: 'a b', baseVersion: document.version },
    }),
  );
  await ok(
    client.PUT('/v1/documents/{id}/presence', { params: { path }, body: { state: 'editing' } }),
  );
  await ok(client.GET('/v1/documents/{id}/presence', { params: { path } }));
  await ok(client.DELETE('/v1/documents/{id}/presence', { params: { path } }));
  await ok(client.PUT('/v1/documents/{id}', { params: { path }, body: { title: 'Two' } }));
  await ok(client.PUT('/v1/documents/{id}', { params: { path }, body: { ...created } }));
  await ok(
    client.PATCH('/v1/documents/{id}', {
      params: { path, header: { 'If-Match': '*' } },
      body: { ...document, title: 'Three', metadata: { region: 'eu' } },
    }),
  );
  await ok(
    client.POST('/v1/documents/{id}/edits', {
      params: { path },
      body: { edits: [{ op: 'append', text: ' c' }] },
    }),
  );
  await ok(client.POST('/v1/documents/{id}/copy', { params: { path } }));
  const { data: batch } = await ok(
    client.POST('/v1/documents/batch', {
      body: {
        operations: [
          { op: 'create', document: { title: 'Of a batch' } },
          { op: 'upsert', externalId: 'crm/batch', document: { title: 'Of a batch' } },
        ],
      },
    }),
  );
  for (const result of batch.results) {
    if (result.op === 'create') console.error(result.data?.title, result.error?.message);
  }
  await ok(
    client.POST('/v1/documents/import', {
      body: { file: '# Imported' },
      bodySerializer: ({ file }) => {
        const form = new FormData();
        form.append('file', new Blob([file]), 'imported.md');
        return form;
      },
    }),
  );
  await ok(
    client.GET('/v1/documents/{id}/export', {
      params: { path, query: { format: 'md' } },
      parseAs: 'text',
    }),
  );
  const external = { path: { externalId: 'crm/1' } };
  await ok(
    client.PUT('/v1/documents/by-external-id/{externalId}', {
      params: external,
      body: { title: 'Theirs' },
    }),
  );
  await ok(client.GET('/v1/documents/by-external-id/{externalId}', { params: external }));
  await ok(client.DELETE('/v1/documents/by-external-id/{externalId}', { params: external }));
  return id;
}

async function versions(id: string): Promise<void> {
  const { data: all, meta } = await ok(
    client.GET('/v1/documents/{id}/versions', { params: { path: { id } } }),
  );
  const next: string | null = meta.pagination.nextCursor;
  for (const { number } of all.slice(-1)) {
    const params = { path: { id, number } };
    await ok(client.GET('/v1/documents/{id}/versions/{number}', { params }));
    await ok(
      client.GET('/v1/documents/{id}/versions/{number}/diff', {
        params: { ...params, query: { against: number + 1 } },
      }),
    );
    await ok(client.POST('/v1/documents/{id}/versions/{number}/restore', { params }));
  }
  if (next !== null) throw new Error('A page of versions is too small.');
  await ok(client.DELETE('/v1/documents/{id}', { params: { path: { id } } }));
  await ok(client.POST('/v1/documents/{id}/restore', { params: { path: { id } } }));
}

async function analysis(): Promise<void> {
  const { data: written } = await ok(
    client.POST('/v1/documents', {
      body: { title: 'Checked', content: 'It is definately so. We recieve teh letter.' },
    }),
  );
  const path = { id: written.id };
  const analysed = await ok(client.POST('/v1/documents/{id}/analyze', { params: { path } }));
  if ('kind' in analysed.data) await endOfJob(analysed.data);
  const { data: analyses } = await ok(
    client.GET('/v1/documents/{id}/analyses', { params: { path } }),
  );
  for (const { id } of analyses) {
    const params = { path: { ...path, analysisId: id } };
    const { data } = await ok(client.GET('/v1/documents/{id}/analyses/{analysisId}', { params }));
    const issueIds = data.issues.slice(-1).map((issue) => issue.id);
    await ok(
      client.POST('/v1/documents/{id}/dismissals', { params: { path }, body: { issueIds } }),
    );
    await ok(client.GET('/v1/documents/{id}/dismissals', { params: { path } }));
    for (const issueId of issueIds) {
      await ok(
        client.DELETE('/v1/documents/{id}/dismissals/{issueId}', {
          params: { path: { ...path, issueId } },
        }),
      );
    }
  }
  await ok(client.GET('/v1/documents/{id}/quality', { params: { path } }));
  const text = await ok(client.POST('/v1/analyze', { body: { content: 'A text.' } }));
  if ('statistics' in text.data && text.data.statistics.words !== 2) throw new Error('Not 2 words');
  // Long enough to run in the background and to be cancelled.
  const long = await ok(
    client.POST('/v1/analyze', { body: { content: 'It is definately so. '.repeat(40_000) } }),
  );
  if (!('kind' in long.data)) throw new Error('The long text was not analysed in the background.');
  await ok(client.DELETE('/v1/jobs/{id}', { params: { path: { id: long.data.id } } }));
  await enhancement(written.id);
}

async function enhancement(id: string): Promise<void> {
  const path = { id };
  const enhanced = await ok(client.POST('/v1/documents/{id}/enhance', { params: { path } }));
  if ('enhancementId' in enhanced.data) await endOfJob(enhanced.data);
  const { data: all } = await ok(
    client.GET('/v1/documents/{id}/enhancements', { params: { path } }),
  );
  for (const one of all) {
    const params = { path: { id, enhancementId: one.id } };
    const { data } = await ok(
      client.GET('/v1/documents/{id}/enhancements/{enhancementId}', { params }),
    );
    const suggestionIds = data.suggestions.slice(0, 1).map((suggestion) => suggestion.id);
    await ok(
      client.POST('/v1/documents/{id}/enhancements/{enhancementId}/reject', {
        params,
        body: { suggestionIds },
      }),
    );
    await ok(
      client.POST('/v1/documents/{id}/enhancements/{enhancementId}/apply', {
        params,
        body: { suggestionIds: 'all' },
      }),
    );
    const accepted = data.suggestions.slice(1, 2).map((suggestion) => suggestion.id);
    await ok(
      client.POST('/v1/documents/{id}/enhancements/{enhancementId}/accept', {
        params,
        body: { suggestionIds: accepted },
      }),
    );
    const stream: string = await ok(
      client.GET('/v1/documents/{id}/enhancements/{enhancementId}/stream', {
        params,
        parseAs: 'text',
      }),
    );
    if (!stream.includes('event: done')) throw new Error(`The stream ends without done: ${stream}`);
  }
}

async function styleRules(): Promise<void> {
  await ok(client.POST('/v1/dictionary/add', { body: { words: ['Acme'] } }));
  await ok(client.GET('/v1/dictionary'));
  await ok(client.POST('/v1/dictionary/remove', { body: { words: ['Acme'] } }));
  const { data: created } = await ok(
    client.POST('/v1/style-rules', {
      body: { rules: [{ id: 'no-very', kind: 'banned', phrases: ['very'] }] },
    }),
  );
  const { data: tried } = await ok(
    client.POST('/v1/style-rules/test', {
      body: { rules: created.rules, content: 'A very good text.' },
    }),
  );
  const [finding] = tried.findings;
  if (finding?.original !== 'very' || tried.findingsOmitted !== 0) throw new Error('No finding.');
  const content = 'extends: existence\ntokens:\n  - utilize\n';
  await ok(
    client.POST('/v1/style-rules/import', { body: { files: [{ path: 'a/b.yml', content }] } }),
  );
  await ok(client.POST('/v1/style-rules', { body: { rules: created.rules } }));
  await ok(client.GET('/v1/style-rules'));
  const params = { path: { version: created.version } };
  await ok(client.GET('/v1/style-rules/{version}', { params }));
  const { data: job } = await ok(client.POST('/v1/style-rules/{version}/dry-run', { params }));
  await endOfJob(job);
  await ok(client.POST('/v1/style-rules/{version}/activate', { params }));
  await ok(client.POST('/v1/style-rules/deactivate'));
}

async function events(): Promise<void> {
  const { data: types } = await ok(client.GET('/v1/event-types'));
  const { data: all } = await ok(
    client.GET('/v1/events', { params: { query: { type: types.map(({ type }) => type) } } }),
  );
  for (const { id } of all.slice(-1)) {
    await ok(client.GET('/v1/events/{id}', { params: { path: { id } } }));
    const header = { 'Last-Event-ID': id };
    const stream = await ok(
      client.GET('/v1/events/stream', { params: { header }, parseAs: 'stream' }),
    );
    let read = '';
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      read += chunk;
      if (read.includes('\ndata: ')) break;
    }
  }
}

async function records(): Promise<void> {
  const { data: entries } = await ok(client.GET('/v1/audit'));
  for (const { id } of entries.slice(0, 1)) {
    await ok(client.GET('/v1/audit/{id}', { params: { path: { id } } }));
  }
  const request = await eventually(async () => {
    const query = { status: ['2xx'], since: '2020-01-01T00:00:00Z' };
    const { data } = await ok(client.GET('/v1/requests', { params: { query } }));
    return data[0];
  });
  await ok(client.GET('/v1/requests/{id}', { params: { path: { id: request.id } } }));
}

/** Imports the account's archive into an empty account. */
async function archives(): Promise<void> {
  const { data: job } = await ok(client.POST('/v1/account/export'));
  await endOfJob(job);
  await ok(client.GET('/v1/jobs'));
  const archive: string = await ok(
    client.GET('/v1/jobs/{id}/result', { params: { path: { id: job.id } }, parseAs: 'text' }),
  );
  await ok(
    client.POST('/v1/account/import', {
      headers: {
        Authorization: `Bearer ${environment('KEY_OF_AN_EMPTY_ACCOUNT')}`,
        'Content-Type': 'application/x-ndjson',
      },
      body: archive,
      bodySerializer: (text) => text,
    }),
  );
}

await service();
await account();
await keys();
await collections();
const templateId = await templates();
await webhooks();
await versions(await documents(templateId));
await ok(client.DELETE('/v1/templates/{id}', { params: { path: { id: templateId } } }));
await styleRules();
await analysis();
await events();
await records();
await archives();
