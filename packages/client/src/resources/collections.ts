import type { Call } from '../call.js';
import { updateWith, type Change, type UpdateOptions } from '../conditional-update.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Job, Query, Schemas } from '../types.js';
import { Resource } from './resource.js';

type Collection = Schemas['Collection'];

export class Collections extends Resource {
  create(body: Schemas['CreateCollection'], options?: RequestOptions): Call<Collection> {
    return this.api.request('POST', '/v1/collections', { body, ...options });
  }

  list(
    query?: Query<'listCollections'>,
    options?: RequestOptions,
  ): List<Schemas['CollectionListItem']> {
    return this.api.list('/v1/collections', { query, ...options });
  }

  /** Returns `undefined` if the `ifNoneMatch` version is still current. */
  get(id: string, options?: RequestOptions & { ifNoneMatch?: undefined }): Call<Collection>;
  get(id: string, options: RequestOptions): Call<Collection | undefined>;
  get(id: string, options?: RequestOptions): Call<Collection | undefined> {
    return this.api.request('GET', '/v1/collections/{id}', { path: { id }, ...options });
  }

  /** Renames or moves a collection. A function works as in `documents.update`. */
  update(
    id: string,
    change: Change<Collection, Schemas['PatchCollection']>,
    options: UpdateOptions = {},
  ): Call<Collection> {
    const path = { id };
    return updateWith(
      {
        read: (how) => this.api.request('GET', '/v1/collections/{id}', { path, ...how }),
        write: (body, how) =>
          this.api.request('PATCH', '/v1/collections/{id}', { path, body, ...how }),
      },
      change,
      options,
    );
  }

  /** Deletes an empty collection. */
  delete(id: string, options?: RequestOptions): Call<Schemas['DeletedCollection']> {
    return this.api.request('DELETE', '/v1/collections/{id}', { path: { id }, ...options });
  }

  /** Returns who can use it: its own access, if it has one, and the access that applies. */
  access(id: string, options?: RequestOptions): Call<Schemas['CollectionAccess']> {
    return this.api.request('GET', '/v1/collections/{id}/access', { path: { id }, ...options });
  }

  /** Replaces its own access. With `access: null`, it has that of the collection above. */
  setAccess(
    id: string,
    body: Schemas['SetAccess'],
    options?: RequestOptions,
  ): Call<Schemas['CollectionAccess']> {
    const parts = { path: { id }, body, ...options };
    return this.api.request('PUT', '/v1/collections/{id}/access', parts);
  }

  /** Starts an export to a zip of Markdown files. Call `client.jobs.wait` and then `client.jobs.result`. */
  export(id: string, options?: RequestOptions): Call<Job> {
    return this.api.request('POST', '/v1/collections/{id}/export', { path: { id }, ...options });
  }
}
