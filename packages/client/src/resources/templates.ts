import type { Call } from '../call.js';
import { updateWith, type Change, type UpdateOptions } from '../conditional-update.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Query, Schemas, Template } from '../types.js';
import { Resource } from './resource.js';

export class Templates extends Resource {
  readonly versions = new TemplateVersions(this.api);

  create(body: Schemas['CreateTemplate'], options?: RequestOptions): Call<Template> {
    return this.api.request('POST', '/v1/templates', { body, ...options });
  }

  list(
    query?: Query<'listTemplates'>,
    options?: RequestOptions,
  ): List<Schemas['TemplateListItem']> {
    return this.api.list('/v1/templates', { query, ...options });
  }

  /** Returns `undefined` if the `ifNoneMatch` version is still current. */
  get(id: string, options?: RequestOptions & { ifNoneMatch?: undefined }): Call<Template>;
  get(id: string, options: RequestOptions): Call<Template | undefined>;
  get(id: string, options?: RequestOptions): Call<Template | undefined> {
    return this.api.request('GET', '/v1/templates/{id}', { path: { id }, ...options });
  }

  /** Changes some fields. A function works as in `documents.update`. */
  update(
    id: string,
    change: Change<Template, Schemas['PatchTemplate']>,
    options: UpdateOptions = {},
  ): Call<Template> {
    const path = { id };
    return updateWith(
      {
        read: (how) => this.api.request('GET', '/v1/templates/{id}', { path, ...how }),
        write: (body, how) =>
          this.api.request('PATCH', '/v1/templates/{id}', { path, body, ...how }),
      },
      change,
      options,
    );
  }

  replace(id: string, body: Schemas['ReplaceTemplate'], options?: RequestOptions): Call<Template> {
    return this.api.request('PUT', '/v1/templates/{id}', { path: { id }, body, ...options });
  }

  delete(id: string, options?: RequestOptions): Call<Schemas['DeletedTemplate']> {
    return this.api.request('DELETE', '/v1/templates/{id}', { path: { id }, ...options });
  }

  /** Returns the document that the template would create. */
  preview(
    id: string,
    body: Schemas['PreviewTemplate'],
    options?: RequestOptions,
  ): Call<Schemas['TemplatePreview']> {
    const parts = { path: { id }, body, ...options };
    return this.api.request('POST', '/v1/templates/{id}/preview', parts);
  }
}

export class TemplateVersions extends Resource {
  list(
    id: string,
    query?: Query<'listTemplateVersions'>,
    options?: RequestOptions,
  ): List<Schemas['TemplateVersionListItem']> {
    return this.api.list('/v1/templates/{id}/versions', { path: { id }, query, ...options });
  }

  get(id: string, number: number, options?: RequestOptions): Call<Schemas['TemplateVersion']> {
    const path = { id, number };
    return this.api.request('GET', '/v1/templates/{id}/versions/{number}', { path, ...options });
  }

  restore(id: string, number: number, options?: RequestOptions): Call<Template> {
    const parts = { path: { id, number }, ...options };
    return this.api.request('POST', '/v1/templates/{id}/versions/{number}/restore', parts);
  }
}
