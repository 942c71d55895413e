import type { Call } from '../call.js';
import { updateWith, type Change, type UpdateOptions } from '../conditional-update.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Query, Schemas } from '../types.js';
import { Resource } from './resource.js';

type Release = Schemas['Release'];

export class Releases extends Resource {
  /** With `publishAt`, the service publishes the documents then, in their present versions. */
  create(body: Schemas['CreateRelease'], options?: RequestOptions): Call<Release> {
    return this.api.request('POST', '/v1/releases', { body, ...options });
  }

  list(query?: Query<'listReleases'>, options?: RequestOptions): List<Release> {
    return this.api.list('/v1/releases', { query, ...options });
  }

  /** Returns `undefined` if the `ifNoneMatch` version is still current. */
  get(id: string, options?: RequestOptions & { ifNoneMatch?: undefined }): Call<Release>;
  get(id: string, options: RequestOptions): Call<Release | undefined>;
  get(id: string, options?: RequestOptions): Call<Release | undefined> {
    return this.api.request('GET', '/v1/releases/{id}', { path: { id }, ...options });
  }

  /** Lists the documents as readers would get them, with what would refuse them. */
  preview(
    id: string,
    query?: Query<'previewRelease'>,
    options?: RequestOptions,
  ): List<Schemas['ReleasePreviewItem']> {
    return this.api.list('/v1/releases/{id}/documents', { path: { id }, query, ...options });
  }

  /** Changes an open or scheduled release. A function works as in `documents.update`. */
  update(
    id: string,
    change: Change<Release, Schemas['PatchRelease']>,
    options: UpdateOptions = {},
  ): Call<Release> {
    const path = { id };
    return updateWith(
      {
        read: (how) => this.api.request('GET', '/v1/releases/{id}', { path, ...how }),
        write: (body, how) =>
          this.api.request('PATCH', '/v1/releases/{id}', { path, body, ...how }),
      },
      change,
      options,
    );
  }

  /** Publishes all documents now, or none. */
  publish(id: string, options?: RequestOptions): Call<Release> {
    return this.api.request('POST', '/v1/releases/{id}/publish', { path: { id }, ...options });
  }

  cancel(id: string, options?: RequestOptions): Call<Release> {
    return this.api.request('POST', '/v1/releases/{id}/cancel', { path: { id }, ...options });
  }

  delete(id: string, options?: RequestOptions): Call<Schemas['DeletedRelease']> {
    return this.api.request('DELETE', '/v1/releases/{id}', { path: { id }, ...options });
  }
}
