import { exampleOf } from '../../../docs-site/reference/example.mjs';
import {
  operationsOf,
  readApiDocument,
  type Operation,
} from '../../../docs-site/reference/api-document.mjs';
import { requestOf } from '../../../docs-site/reference/samples.mjs';
import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';

/** Examples of ids in the API document. */
const EXAMPLE_ID = /\b([a-z]+)_(?:01[0-9a-z]{24}|8Qm2xT0aWk3e9ZrLbD5uNg)\b/g;
const CONTENT = '# Results\n\nRevenue grew by 12 %. It is definately so. We recieve teh letter.';
const RULE = { id: 'no-very', kind: 'banned', phrases: ['very'] };
const TEMPLATE = {
  name: 'Letter',
  content: 'Dear {{client}}',
  variables: [{ name: 'client', required: true }],
};
const document = readApiDocument();

const EXAMPLE_WEBHOOK = 'wh_01kam3k0v5e0rbk1y2c9q4w7zt';

interface Data {
  id: string;
  kind?: string;
  finishedAt?: string | null;
  issues?: { id: string }[];
  suggestions?: { id: string }[];
}

/** Creates the resources that a sample uses, in an account of its own. */
export class SampleSeed {
  private readonly ids = new Map<string, string>();

  /** Resources that need more than the sample of their POST, in the order in which they need each other. */
  private readonly makers: Readonly<Record<string, () => Promise<string>>> = {
    doc: () => this.document(),
    anl: async () => (await this.findings('analyze', 'analyses')).id,
    enh: () => this.enhancement(),
    iss: () => this.issue(),
    tmpl: () => this.create('/v1/templates', TEMPLATE),
    dlv: () => this.delivery(),
    job: () => this.job(),
    evt: () => this.loggedId('/v1/events'),
    aud: () => this.loggedId('/v1/audit'),
    req: () => this.loggedId('/v1/requests'),
  };

  constructor(
    private readonly api: ApiClient,
    private readonly operationId: string,
    private readonly sample: string,
  ) {}

  /** Returns the sample with real ids instead of the examples. */
  async seeded(): Promise<string> {
    await this.prepareAccount();
    await this.createFor(this.sample);
    await this.prepareResources();
    return this.withIds(this.sample);
  }

  /** Creates the resources whose ids a text contains. */
  private async createFor(text: string): Promise<void> {
    const kinds = new Set([...text.matchAll(EXAMPLE_ID)].map(([, kind = '']) => kind));
    for (const kind of [...Object.keys(this.makers), ...kinds]) {
      if (!kinds.has(kind) || this.ids.has(kind)) continue;
      this.ids.set(kind, await (this.makers[kind]?.() ?? this.createBySample(kind)));
    }
  }

  /** Creates a resource by the sample of the POST that returns an id of this kind. */
  private async createBySample(kind: string): Promise<string> {
    const operation = operationsOf(document).find((one) => creates(one, kind));
    if (!operation) throw new Error(`${this.operationId}: no POST creates an id like ${kind}_….`);
    const { path, body } = requestOf(document, operation);
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
    const text = JSON.stringify([address, body]);
    await this.createFor(text);
    const [seeded, sent] = JSON.parse(this.withIds(text)) as [string, object | undefined];
    return this.create(seeded, sent);
  }

  private withIds(text: string): string {
    return text.replace(EXAMPLE_ID, (_, kind: string) => this.id(kind));
  }

  /** Creates what samples name without an id. */
  private async prepareAccount(): Promise<void> {
    if (this.operationId.includes('StyleRules')) {
      await this.send('POST', '/v1/style-rules', { rules: [RULE] });
    }
    if (/publi(sh|cation)|discard|release|schedule/i.test(this.operationId)) {
      await this.send('PUT', '/v1/publishing', { enabled: true });
    }
    if (this.operationId.includes('ByExternalId')) {
      await this.send('PUT', '/v1/documents/by-external-id/crm%2F4711', { title: 'Price list' });
    }
  }

  /** Brings the resources into the state that the operation requires. */
  private async prepareResources(): Promise<void> {
    if (this.operationId === 'restoreDocument') {
      await this.send('DELETE', `/v1/documents/${this.id('doc')}`);
    }
    if (['unpublishDocument', 'discardDocumentChanges'].includes(this.operationId)) {
      await this.send('POST', `/v1/documents/${this.id('doc')}/publish`);
    }
    if (this.operationId === 'deleteSchedule') {
      const unpublishAt = '2030-01-15T08:00:00Z';
      await this.send('PUT', `/v1/documents/${this.id('doc')}/schedule`, { unpublishAt });
    }
    if (this.operationId === 'removeDismissal') {
      const issueIds = [this.id('iss')];
      await this.send('POST', `/v1/documents/${this.id('doc')}/dismissals`, { issueIds });
    }
  }

  private id(kind: string): string {
    const id = this.ids.get(kind);
    if (id !== undefined) return id;
    throw new Error(`${this.operationId}: there is no seed for an id that begins with ${kind}_.`);
  }

  private async create(path: string, body?: object): Promise<string> {
    return (await this.send('POST', path, body)).id;
  }

  private async delivery(): Promise<string> {
    await this.createFor(EXAMPLE_WEBHOOK);
    return this.create(`/v1/webhooks/${this.id('wh')}/test`);
  }

  /** Creates a document with two versions. */
  private async document(): Promise<string> {
    const id = await this.create('/v1/documents', { title: 'Report', content: CONTENT });
    await this.send('PATCH', `/v1/documents/${id}`, { title: 'Quarterly report' });
    return id;
  }

  private async enhancement(): Promise<string> {
    if (this.operationId !== 'withdrawProposal') {
      return (await this.findings('enhance', 'enhancements')).id;
    }
    return this.create(`/v1/documents/${this.id('doc')}/proposals`, { title: 'Proposed' });
  }

  /** Analyzes or enhances the document, and waits for the job if there is one. */
  private async findings(action: string, list: string): Promise<Data> {
    const document = `/v1/documents/${this.id('doc')}`;
    const made = await this.send('POST', `${document}/${action}`);
    if (made.kind !== undefined) await this.endOfJob(made.id);
    const [id = ''] = await this.idsIn(`${document}/${list}`);
    return this.send('GET', `${document}/${list}/${id}`);
  }

  /** Returns the id of a suggestion of the enhancement, or of an issue of an analysis. */
  private async issue(): Promise<string> {
    const enhancement = this.ids.get('enh');
    const path = `/v1/documents/${this.id('doc')}/enhancements/${String(enhancement)}`;
    const found = await (enhancement
      ? this.send('GET', path)
      : this.findings('analyze', 'analyses'));
    return (found.suggestions ?? found.issues ?? [])[0]?.id ?? '';
  }

  /** Returns a job that waits for others and can be cancelled, or one that has a result. */
  private async job(): Promise<string> {
    if (this.operationId === 'cancelJob') {
      const content = 'It is definately so. '.repeat(45_000);
      for (let busy = 0; busy < 3; busy += 1) await this.create('/v1/analyze', { content });
      return this.create('/v1/analyze', { content });
    }
    const id = await this.create('/v1/account/export');
    await this.endOfJob(id);
    return id;
  }

  private async endOfJob(id: string): Promise<void> {
    await eventually(
      () => this.send('GET', `/v1/jobs/${id}`),
      ({ finishedAt }) => finishedAt !== null,
    );
  }

  /** Returns an entry of a log, which can follow its request with a delay. */
  private async loggedId(path: string): Promise<string> {
    await this.document();
    const [id = ''] = await eventually(
      () => this.idsIn(path),
      (found) => found.length > 0,
    );
    return id;
  }

  private async idsIn(path: string): Promise<string[]> {
    const { body } = await this.request('GET', path);
    return (body as { data: Data[] }).data.map(({ id }) => id);
  }

  private async send(method: string, path: string, body?: object): Promise<Data> {
    return ((await this.request(method, path, body)).body as { data: Data }).data;
  }

  private async request(method: string, path: string, body?: object): Promise<ApiResponse> {
    const response = await this.api.send(method, path, body && { body });
    if (response.status < 300) return response;
    throw new Error(`${this.operationId}: the seed ${method} ${path} got ${response.text}`);
  }
}

/** Returns true if the operation responds with the new resource, and its id is of this kind. */
function creates({ method, responses }: Operation, kind: string): boolean {
  const created = responses.find(({ status }) => status === '201');
  const schema = created?.content?.['application/json']?.schema;
  const data = (exampleOf(document, schema?.properties?.['data'] ?? {}) ?? {}) as Partial<Data>;
  return method === 'POST' && data.id?.startsWith(`${kind}_`) === true;
}
