import type { DataSource } from 'typeorm';
import { encodeId, newUuid } from '../../src/identifiers/identifiers.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { insertRows } from './document-rows.js';
import type { ModelDocument } from './search-model.js';

export type Fields = Pick<ModelDocument, 'type' | 'content' | 'metadata'>;

/** A change of the documents; `pick` chooses one of those it can be done to. */
export type Change =
  | { op: 'create'; fields: Fields }
  | { op: 'change'; pick: number; fields: Fields }
  | { op: 'delete' | 'restore' | 'remove' | 'archive'; pick: number }
  | { op: 'load'; fields: Fields };

/** Documents of an account in memory, which change as those in the service do. */
export class ChangingDocuments {
  readonly documents: ModelDocument[] = [];
  private loaded = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accountId: string,
    private readonly createdBy: string,
  ) {}

  /** So many documents in one statement: from 500 on they are in the index at once. */
  async load(number: number, fieldsOf: (n: number) => Fields): Promise<void> {
    const rows = Array.from({ length: number }, (_, n) => {
      const moment = new Date(Date.UTC(2026, 0, 1) + (this.loaded + n) * 60_000).toISOString();
      return {
        ...fieldsOf(n),
        id: encodeId('document', newUuid()),
        title: 'loaded',
        status: n % 9 === 0 ? 'archived' : 'draft',
        createdBy: this.createdBy,
        templateId: null,
        wordCount: 1,
        createdAt: moment,
        updatedAt: moment,
        deleted: false,
      };
    });
    this.loaded += number;
    await insertRows(this.dataSource, this.accountId, rows);
    this.documents.push(...rows);
  }

  async do(taken: Change, api: ApiClient): Promise<void> {
    if (taken.op === 'load') {
      await this.load(600, (n) => (n % 2 === 0 ? taken.fields : { ...taken.fields, metadata: {} }));
    } else if (taken.op === 'create') {
      const created = await api.createDocument({ title: 'created', ...taken.fields });
      this.documents.push(this.known(created, taken.fields));
    } else {
      const wanted = this.documents.filter(
        ({ deleted }) => deleted === (taken.op === 'restore' || taken.op === 'remove'),
      );
      const found = wanted[taken.pick % Math.max(1, wanted.length)];
      if (found) await this.change(found, taken, api);
    }
  }

  private async change(
    found: ModelDocument,
    taken: Exclude<Change, { op: 'load' | 'create' }>,
    api: ApiClient,
  ): Promise<void> {
    const { id } = found;
    if (taken.op === 'change') {
      const { type, content, metadata } = taken.fields;
      const replaced = await api.replaceDocument(id, { title: 'changed', type, content, metadata });
      Object.assign(found, this.known(replaced, taken.fields));
    } else if (taken.op === 'archive') {
      // Not every status may become another one.
      const patched = await api.patchDocument(id, { status: 'archived' });
      if (patched.status === 200) found.status = 'archived';
    } else if (taken.op === 'remove') {
      expectSuccess(await api.deleteDocument(id, { permanent: true }));
      this.documents.splice(this.documents.indexOf(found), 1);
    } else {
      const answer = taken.op === 'delete' ? api.deleteDocument(id) : api.restoreDocument(id);
      expectSuccess(await answer);
      found.deleted = taken.op === 'delete';
    }
  }

  private known({ body, status }: ApiResponse, { content, metadata, type }: Fields): ModelDocument {
    if (status >= 300) throw new Error(`The change was answered ${String(status)}.`);
    const data = body.data as ModelDocument;
    return { ...data, content, metadata, type, deleted: false };
  }
}
