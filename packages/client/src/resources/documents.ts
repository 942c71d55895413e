import { Call, type ApiResponse } from '../call.js';
import { updateWith, type Change, type UpdateOptions } from '../conditional-update.js';
import type { List } from '../list.js';
import { messagesOf } from '../server-sent-events.js';
import type { RequestOptions } from '../transport.js';
import type {
  Document,
  DocumentListItem,
  FieldsOptions,
  FieldsQuery,
  Job,
  Query,
  Schemas,
} from '../types.js';
import { Jobs, type WaitOptions } from './jobs.js';
import { Resource } from './resource.js';

/** A file to import. */
export type ImportFile = Omit<Schemas['ImportDocument'], 'file'> & {
  /** The file, or its content as bytes or text. */
  file: Blob | ArrayBuffer | Uint8Array | string;
  /** Its extension determines the format. Defaults to the name of a `File`. Send a name or `format` with content. */
  fileName?: string | undefined;
};

/** Options whose response always contains the record. */
type Unconditional<Options> = Options & { ifNoneMatch?: undefined };

/** What to read of a document. */
interface Perspective {
  /** Returns the version that readers get, with `publishedAt`. Keys that may read nothing else always get it. */
  version?: 'published' | undefined;
}

export type EnhancementMessage = { type: string; data: unknown };

/** Timeout of a silent stream in ms: more than two heartbeats of the service. */
const STREAM_SILENCE_MS = 45_000;

export class Documents extends Resource {
  readonly byExternalId = new DocumentsByExternalId(this.api);
  readonly versions = new DocumentVersions(this.api);
  readonly analyses = new Analyses(this.api);
  readonly enhancements = new Enhancements(this.api);
  readonly dismissals = new Dismissals(this.api);
  readonly presence = new Presence(this.api);

  create(
    body: Schemas['CreateDocument'] | Schemas['CreateDocumentFromTemplate'],
    options?: RequestOptions,
  ): Call<Document> {
    return this.api.request('POST', '/v1/documents', { body, ...options });
  }

  /** With `fields` in the query, items contain only these fields. */
  list<Field extends keyof DocumentListItem = keyof DocumentListItem>(
    query?: FieldsQuery<'listDocuments', Field>,
    options?: RequestOptions,
  ): List<Pick<DocumentListItem, Field | 'id'>> {
    return this.api.list('/v1/documents', { query: query as Query<'listDocuments'>, ...options });
  }

  /** Searches title and content. Returns the best matches first, each with a `highlight`. */
  search(
    q: string,
    query?: Omit<FieldsQuery<'listDocuments', keyof DocumentListItem>, 'q'>,
    options?: RequestOptions,
  ): List<DocumentListItem> {
    return this.list({ sort: 'relevance', ...query, q }, options);
  }

  /** Counts documents by type, status, tag and so on. */
  facets(
    query?: Query<'countDocuments'>,
    options?: RequestOptions,
  ): Call<Schemas['DocumentFacets']> {
    return this.api.request('GET', '/v1/documents/facets', { query, ...options });
  }

  /** Returns `undefined` if the `ifNoneMatch` version is still current. */
  get(id: string, options?: Unconditional<RequestOptions & Perspective>): Call<Document>;
  get(id: string, options: RequestOptions & Perspective): Call<Document | undefined>;
  get<Field extends keyof Document>(
    id: string,
    options: Unconditional<FieldsOptions<Field> & Perspective>,
  ): Call<Pick<Document, Field | 'id'>>;
  get<Field extends keyof Document>(
    id: string,
    options: FieldsOptions<Field> & Perspective,
  ): Call<Pick<Document, Field | 'id'> | undefined>;
  get(
    id: string,
    {
      fields,
      version,
      ...options
    }: RequestOptions & Perspective & { fields?: readonly (keyof Document)[] } = {},
  ): Call<unknown> {
    const query = { fields, version };
    return this.api.request('GET', '/v1/documents/{id}', { path: { id }, query, ...options });
  }

  /**
   * Changes some fields. A function receives the stored document and returns the change. If another client changes the
   * document first, the function is called again with the current version.
   */
  update(
    id: string,
    change: Change<Document, Schemas['PatchDocument']>,
    options: UpdateOptions = {},
  ): Call<Document> {
    const path = { id };
    return updateWith(
      {
        read: (how) => this.api.request('GET', '/v1/documents/{id}', { path, ...how }),
        write: (body, how) =>
          this.api.request('PATCH', '/v1/documents/{id}', { path, body, ...how }),
      },
      change,
      options,
    );
  }

  /** Replaces all fields. Omitted fields get their defaults. */
  replace(id: string, body: Schemas['ReplaceDocument'], options?: RequestOptions): Call<Document> {
    return this.api.request('PUT', '/v1/documents/{id}', { path: { id }, body, ...options });
  }

  /** Creates a draft with the same content. Fields in the body override copied fields. */
  copy(id: string, body: Schemas['CopyDocument'] = {}, options?: RequestOptions): Call<Document> {
    return this.api.request('POST', '/v1/documents/{id}/copy', { path: { id }, body, ...options });
  }

  /** Moves the document to the trash, or deletes it permanently with `permanent`. */
  delete(
    id: string,
    { permanent, ...options }: RequestOptions & { permanent?: boolean } = {},
  ): Call<Schemas['DeletedDocument']> {
    const query = { permanent };
    return this.api.request('DELETE', '/v1/documents/{id}', { path: { id }, query, ...options });
  }

  /** Restores the document from the trash, to another collection if `collectionId` names one. */
  restore(
    id: string,
    { collectionId, ...options }: RequestOptions & Schemas['RestoreDocument'] = {},
  ): Call<Document> {
    const body = collectionId === undefined ? {} : { body: { collectionId } };
    const parts = { path: { id }, ...body, ...options };
    return this.api.request('POST', '/v1/documents/{id}/restore', parts);
  }

  /** Publishes a version, by default the current one. An older one is a rollback. */
  publish(
    id: string,
    { version, override, ...options }: RequestOptions & Schemas['PublishDocument'] = {},
  ): Call<Document> {
    const sent = { ...(version !== undefined && { version }), ...(override && { override }) };
    const body = Object.keys(sent).length === 0 ? {} : { body: sent };
    const parts = { path: { id }, ...body, ...options };
    return this.api.request('POST', '/v1/documents/{id}/publish', parts);
  }

  /** What publishing a version would find, by default the current one. */
  publicationChecks(
    id: string,
    query?: Query<'checkPublication'>,
    options?: RequestOptions,
  ): Call<Schemas['PublicationChecks']> {
    const parts = { path: { id }, query, ...options };
    return this.api.request('GET', '/v1/documents/{id}/publication-checks', parts);
  }

  /** Makes the document a draft, which readers no longer get. */
  unpublish(id: string, options?: RequestOptions): Call<Document> {
    return this.api.request('POST', '/v1/documents/{id}/unpublish', { path: { id }, ...options });
  }

  /** Creates a version with the published text. */
  discard(id: string, options?: RequestOptions): Call<Document> {
    return this.api.request('POST', '/v1/documents/{id}/discard', { path: { id }, ...options });
  }

  /** What readers saw, and when. */
  publications(
    id: string,
    query?: Query<'listPublications'>,
    options?: RequestOptions,
  ): List<Schemas['Publication']> {
    return this.api.list('/v1/documents/{id}/publications', { path: { id }, query, ...options });
  }

  /** Publishes the document at a time, and unpublishes it at another. Replaces its schedule. */
  schedule(
    id: string,
    body: Schemas['PutSchedule'],
    options?: RequestOptions,
  ): Call<Schemas['Schedule']> {
    const parts = { path: { id }, body, ...options };
    return this.api.request('PUT', '/v1/documents/{id}/schedule', parts);
  }

  /** Cancels the schedule of the document. */
  unschedule(id: string, options?: RequestOptions): Call<Schemas['DeletedSchedule']> {
    return this.api.request('DELETE', '/v1/documents/{id}/schedule', { path: { id }, ...options });
  }

  /** Changes parts of the content without sending all of it. */
  edit(id: string, body: Schemas['EditDocument'], options?: RequestOptions): Call<Document> {
    return this.api.request('POST', '/v1/documents/{id}/edits', { path: { id }, body, ...options });
  }

  /** Runs up to 100 operations. Each has its own result; with `atomic`, all succeed or none. */
  batch(body: Schemas['Batch'], options?: RequestOptions): Call<Schemas['BatchResults']> {
    return this.api.request('POST', '/v1/documents/batch', { body, ...options });
  }

  /** Creates a document from Markdown, HTML or DOCX. */
  import(file: ImportFile, options?: RequestOptions): Call<Document> {
    return this.sendFile(file, false, options) as Call<Document>;
  }

  /** Converts Markdown, HTML or DOCX to Markdown. Stores nothing. */
  convert(file: ImportFile, options?: RequestOptions): Call<Schemas['ConvertedFile']> {
    return this.sendFile(file, true, options);
  }

  private sendFile(
    { file, fileName, ...fields }: ImportFile,
    dryRun: boolean,
    options: RequestOptions | undefined,
  ): Call<Document | Schemas['ConvertedFile']> {
    const body = new FormData();
    for (const [name, value] of Object.entries<string | undefined>(fields)) {
      if (value !== undefined) body.set(name, value);
    }
    const name =
      fileName ?? (file instanceof Blob && 'name' in file ? String(file.name) : 'document');
    const isBytes = file instanceof ArrayBuffer || file instanceof Uint8Array;
    const content = isBytes ? new Uint8Array(file) : file;
    body.set('file', content instanceof Blob ? content : new Blob([content]), name);
    const query = dryRun ? { dryRun } : undefined;
    return this.api.request('POST', '/v1/documents/import', { query, body, ...options });
  }

  /** Exports the document as a file. Waits for a job if the export takes long. */
  export(id: string, query?: Query<'exportDocument'>, options: RequestOptions = {}): Call<Blob> {
    return new Call(this.exported(id, query, options));
  }

  private async exported(
    id: string,
    query: Query<'exportDocument'> | undefined,
    options: RequestOptions,
  ): Promise<ApiResponse<Blob>> {
    const path = { id };
    const parts = { path, query, ...options };
    const response = await this.api
      .request('GET', '/v1/documents/{id}/export', parts)
      .withResponse();
    if (response.status !== 202) return response as ApiResponse<Blob>;
    const jobs = new Jobs(this.api);
    const job = await jobs.wait((response.data as Job).id, options);
    return jobs.result(job.id, options).withResponse();
  }

  /** Starts an analysis, and usually returns its job. {@link analyzeAndWait} waits for the analysis. */
  analyze(
    id: string,
    body: Schemas['AnalyzeDocument'] = {},
    options?: RequestOptions,
  ): Call<Schemas['Analysis'] | Job> {
    return this.api.request('POST', '/v1/documents/{id}/analyze', {
      path: { id },
      body,
      ...options,
    });
  }

  /** Analyzes the text and waits for the result. */
  async analyzeAndWait(
    id: string,
    body: Schemas['AnalyzeDocument'] = {},
    options: WaitOptions = {},
  ): Promise<Schemas['Analysis']> {
    const made = await this.analyze(id, body, options);
    if ('documentVersion' in made) return made;
    const { result } = await new Jobs(this.api).wait(made.id, options);
    const { analysisId } = result as { analysisId: string };
    return this.analyses.get(id, analysisId, options);
  }

  /** Starts an enhancement, and usually returns its job. {@link enhanceAndWait} waits for the suggestions. */
  enhance(
    id: string,
    body: Schemas['EnhanceDocument'] = {},
    options?: RequestOptions,
  ): Call<Schemas['Enhancement'] | Schemas['EnhancementJob']> {
    return this.api.request('POST', '/v1/documents/{id}/enhance', {
      path: { id },
      body,
      ...options,
    });
  }

  /**
   * Suggests changes and waits for them. Apply them with `documents.enhancements.applySafe` or
   * `documents.enhancements.apply`.
   */
  async enhanceAndWait(
    id: string,
    body: Schemas['EnhanceDocument'] = {},
    options: WaitOptions = {},
  ): Promise<Schemas['Enhancement']> {
    const made = await this.enhance(id, body, options);
    if ('suggestions' in made) return made;
    await new Jobs(this.api).wait(made.id, options);
    return this.enhancements.get(id, made.enhancementId, options);
  }

  /** Proposes changes. The document stays as it is until somebody with `documents:write` applies them. */
  propose(
    id: string,
    body: Schemas['ProposeChanges'],
    options?: RequestOptions,
  ): Call<Schemas['Enhancement']> {
    return this.api.request('POST', '/v1/documents/{id}/proposals', {
      path: { id },
      body,
      ...options,
    });
  }

  /** Returns the scores of the versions. */
  quality(
    id: string,
    query?: Query<'listQuality'>,
    options?: RequestOptions,
  ): List<Schemas['VersionQuality']> {
    return this.api.list('/v1/documents/{id}/quality', { path: { id }, query, ...options });
  }
}

/** Documents by the id that another system uses for them. */
export class DocumentsByExternalId extends Resource {
  /** Returns `undefined` if the `ifNoneMatch` version is still current. */
  get(externalId: string, options?: Unconditional<RequestOptions & Perspective>): Call<Document>;
  get(externalId: string, options: RequestOptions & Perspective): Call<Document | undefined>;
  get(
    externalId: string,
    { version, ...options }: RequestOptions & Perspective = {},
  ): Call<Document | undefined> {
    const parts = { path: { externalId }, query: { version }, ...options };
    return this.api.request('GET', '/v1/documents/by-external-id/{externalId}', parts);
  }

  /** Creates the document or replaces all its fields. */
  put(
    externalId: string,
    body: Schemas['ReplaceDocument'],
    options?: RequestOptions,
  ): Call<Document> {
    const parts = { path: { externalId }, body, ...options };
    return this.api.request('PUT', '/v1/documents/by-external-id/{externalId}', parts);
  }

  /** Moves the document to the trash, or deletes it permanently with `permanent`. */
  delete(
    externalId: string,
    { permanent, ...options }: RequestOptions & { permanent?: boolean } = {},
  ): Call<Schemas['DeletedDocument']> {
    const parts = { path: { externalId }, query: { permanent }, ...options };
    return this.api.request('DELETE', '/v1/documents/by-external-id/{externalId}', parts);
  }
}

export class DocumentVersions extends Resource {
  list(
    id: string,
    query?: Query<'listVersions'>,
    options?: RequestOptions,
  ): List<Schemas['Version']> {
    return this.api.list('/v1/documents/{id}/versions', { path: { id }, query, ...options });
  }

  get(id: string, number: number, options?: RequestOptions): Call<Schemas['WholeVersion']> {
    const path = { id, number };
    return this.api.request('GET', '/v1/documents/{id}/versions/{number}', { path, ...options });
  }

  /** Compares the version with `against`, or by default with the previous version. */
  diff(
    id: string,
    number: number,
    query?: Query<'diffVersion'>,
    options?: RequestOptions,
  ): Call<Schemas['VersionDiff']> {
    const parts = { path: { id, number }, query, ...options };
    return this.api.request('GET', '/v1/documents/{id}/versions/{number}/diff', parts);
  }

  /** Restores the version as a new version. */
  restore(id: string, number: number, options?: RequestOptions): Call<Document> {
    const parts = { path: { id, number }, ...options };
    return this.api.request('POST', '/v1/documents/{id}/versions/{number}/restore', parts);
  }
}

export class Analyses extends Resource {
  list(
    id: string,
    query?: Query<'listAnalyses'>,
    options?: RequestOptions,
  ): List<Schemas['Analysis']> {
    return this.api.list('/v1/documents/{id}/analyses', { path: { id }, query, ...options });
  }

  get(id: string, analysisId: string, options?: RequestOptions): Call<Schemas['Analysis']> {
    const path = { id, analysisId };
    return this.api.request('GET', '/v1/documents/{id}/analyses/{analysisId}', {
      path,
      ...options,
    });
  }
}

/** Who views and edits documents at the moment. */
export class Presence extends Resource {
  get(id: string, options?: RequestOptions): Call<Schemas['Presence']> {
    return this.api.request('GET', '/v1/documents/{id}/presence', { path: { id }, ...options });
  }

  /** Counts this key as viewing or editing for 60 seconds. */
  hold(
    id: string,
    state: Schemas['HoldPresence']['state'],
    options?: RequestOptions,
  ): Call<Schemas['Presence']> {
    const parts = { path: { id }, body: { state }, ...options };
    return this.api.request('PUT', '/v1/documents/{id}/presence', parts);
  }

  leave(id: string, options?: RequestOptions): Call<Schemas['LeftDocument']> {
    return this.api.request('DELETE', '/v1/documents/{id}/presence', { path: { id }, ...options });
  }
}

export class Enhancements extends Resource {
  list(
    id: string,
    query?: Query<'listEnhancements'>,
    options?: RequestOptions,
  ): List<Schemas['EnhancementItem']> {
    return this.api.list('/v1/documents/{id}/enhancements', { path: { id }, query, ...options });
  }

  get(id: string, enhancementId: string, options?: RequestOptions): Call<Schemas['Enhancement']> {
    const parts = { path: { id, enhancementId }, ...options };
    return this.api.request('GET', '/v1/documents/{id}/enhancements/{enhancementId}', parts);
  }

  /** Applies suggestions by their ids, or all open ones. Creates one version. Repeating it is safe. */
  apply(
    id: string,
    enhancementId: string,
    body: Schemas['ApplySuggestions'],
    options?: RequestOptions,
  ): Call<Schemas['AppliedEnhancement']> {
    const parts = { path: { id, enhancementId }, body, ...options };
    return this.api.request('POST', '/v1/documents/{id}/enhancements/{enhancementId}/apply', parts);
  }

  /** Applies all open suggestions that are `safe`, as one version. Repeating it is safe. */
  applySafe(
    id: string,
    enhancementId: string,
    options?: RequestOptions,
  ): Call<Schemas['AppliedEnhancement']> {
    return this.apply(id, enhancementId, { suggestionIds: 'all', safe: true }, options);
  }

  /** Marks suggestions as accepted without changing the document, which already contains them. */
  accept(
    id: string,
    enhancementId: string,
    body: Schemas['AcceptSuggestions'],
    options?: RequestOptions,
  ): Call<Schemas['Enhancement']> {
    const parts = { path: { id, enhancementId }, body, ...options };
    return this.api.request(
      'POST',
      '/v1/documents/{id}/enhancements/{enhancementId}/accept',
      parts,
    );
  }

  /** Rejects suggestions. They are not repeated for the same sentence. */
  reject(
    id: string,
    enhancementId: string,
    body: Schemas['RejectSuggestions'],
    options?: RequestOptions,
  ): Call<Schemas['Enhancement']> {
    const parts = { path: { id, enhancementId }, body, ...options };
    return this.api.request(
      'POST',
      '/v1/documents/{id}/enhancements/{enhancementId}/reject',
      parts,
    );
  }

  /** Withdraws a proposal that the same key sent. */
  withdraw(
    id: string,
    enhancementId: string,
    options?: RequestOptions,
  ): Call<Schemas['Enhancement']> {
    const parts = { path: { id, enhancementId }, ...options };
    return this.api.request(
      'POST',
      '/v1/documents/{id}/enhancements/{enhancementId}/withdraw',
      parts,
    );
  }

  /** Streams the progress of a language model until its suggestions are complete. */
  async *stream(
    id: string,
    enhancementId: string,
    options?: RequestOptions,
  ): AsyncGenerator<EnhancementMessage, void, undefined> {
    const parts = { path: { id, enhancementId }, ...options };
    const path = '/v1/documents/{id}/enhancements/{enhancementId}/stream';
    const response = await this.api.stream(path, parts);
    for await (const { type, data } of messagesOf(response, STREAM_SILENCE_MS)) {
      if (data !== '') yield { type, data: JSON.parse(data) as unknown };
    }
  }
}

/** The proposals for all documents. `documents.propose` creates them. */
export class Proposals extends Resource {
  list(query?: Query<'listProposals'>, options?: RequestOptions): List<Schemas['EnhancementItem']> {
    return this.api.list('/v1/proposals', { query, ...options });
  }
}

export class Dismissals extends Resource {
  /** Issues that are not reported again. */
  create(
    id: string,
    body: Schemas['DismissIssues'],
    options?: RequestOptions,
  ): Call<Schemas['Dismissed']> {
    const parts = { path: { id }, body, ...options };
    return this.api.request('POST', '/v1/documents/{id}/dismissals', parts);
  }

  list(
    id: string,
    query?: Query<'listDismissals'>,
    options?: RequestOptions,
  ): List<Schemas['Dismissal']> {
    return this.api.list('/v1/documents/{id}/dismissals', { path: { id }, query, ...options });
  }

  delete(id: string, issueId: string, options?: RequestOptions): Call<Schemas['RemovedDismissal']> {
    const parts = { path: { id, issueId }, ...options };
    return this.api.request('DELETE', '/v1/documents/{id}/dismissals/{issueId}', parts);
  }
}
