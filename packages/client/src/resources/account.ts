import type { Call } from '../call.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../transport.js';
import type { Job, Query, RawBody, Schemas } from '../types.js';
import { Resource } from './resource.js';

export class Account extends Resource {
  get(options?: RequestOptions): Call<Schemas['AccountDetails']> {
    return this.api.request('GET', '/v1/account', { ...options });
  }

  update(body: Schemas['PatchAccount'], options?: RequestOptions): Call<Schemas['AccountDetails']> {
    return this.api.request('PATCH', '/v1/account', { body, ...options });
  }

  publishing(options?: RequestOptions): Call<Schemas['Publishing']> {
    return this.api.request('GET', '/v1/publishing', { ...options });
  }

  /** Replaces the publishing settings. Omitted ones get their defaults. */
  updatePublishing(
    body: Schemas['PutPublishing'],
    options?: RequestOptions,
  ): Call<Schemas['Publishing']> {
    return this.api.request('PUT', '/v1/publishing', { body, ...options });
  }

  /** Starts an export of the account. Call `client.jobs.wait` and then `client.jobs.result`. */
  export(options?: RequestOptions): Call<Job> {
    return this.api.request('POST', '/v1/account/export', { ...options });
  }

  import(archive: RawBody, options?: RequestOptions): Call<Job> {
    return this.api.request('POST', '/v1/account/import', {
      body: archive,
      ...options,
      headers: { 'Content-Type': 'application/x-ndjson', ...options?.headers },
    });
  }
}

export class Keys extends Resource {
  /** Only this response contains the key itself. */
  create(body: Schemas['CreateKey'], options?: RequestOptions): Call<Schemas['CreatedApiKey']> {
    return this.api.request('POST', '/v1/keys', { body, ...options });
  }

  list(query?: Query<'listKeys'>, options?: RequestOptions): List<Schemas['ApiKey']> {
    return this.api.list('/v1/keys', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Schemas['ApiKey']> {
    return this.api.request('GET', '/v1/keys/{id}', { path: { id }, ...options });
  }

  /** Changes the name, expiry or allowed addresses, or removes scopes. */
  update(id: string, body: Schemas['PatchKey'], options?: RequestOptions): Call<Schemas['ApiKey']> {
    return this.api.request('PATCH', '/v1/keys/{id}', { path: { id }, body, ...options });
  }

  /** Revokes the key immediately. */
  revoke(id: string, options?: RequestOptions): Call<Schemas['RevokedApiKey']> {
    return this.api.request('DELETE', '/v1/keys/{id}', { path: { id }, ...options });
  }

  /** Replaces the key. The old key stays valid for a while. */
  rotate(
    id: string,
    body: Schemas['RotateKey'] = {},
    options?: RequestOptions,
  ): Call<Schemas['RotatedApiKey']> {
    return this.api.request('POST', '/v1/keys/{id}/rotate', { path: { id }, body, ...options });
  }
}

/** The people and service accounts of the account. */
export class Members extends Resource {
  /** Lists names and roles, for the access of collections. */
  list(query?: Query<'listMemberNames'>, options?: RequestOptions): List<Schemas['NamedMember']> {
    return this.api.list('/v1/members', { query, ...options });
  }
}

/** Service accounts own API keys and never sign in. */
export class ServiceAccounts extends Resource {
  create(
    body: Schemas['CreateServiceAccount'],
    options?: RequestOptions,
  ): Call<Schemas['ServiceAccount']> {
    return this.api.request('POST', '/v1/service-accounts', { body, ...options });
  }

  list(
    query?: Query<'listServiceAccounts'>,
    options?: RequestOptions,
  ): List<Schemas['ServiceAccount']> {
    return this.api.list('/v1/service-accounts', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Schemas['ServiceAccount']> {
    return this.api.request('GET', '/v1/service-accounts/{id}', { path: { id }, ...options });
  }

  /** Changes the name or the role, effective from the next request of its keys. */
  update(
    id: string,
    body: Schemas['PatchServiceAccount'],
    options?: RequestOptions,
  ): Call<Schemas['ServiceAccount']> {
    return this.api.request('PATCH', '/v1/service-accounts/{id}', {
      path: { id },
      body,
      ...options,
    });
  }

  /** Deletes the service account and revokes its keys. */
  delete(id: string, options?: RequestOptions): Call<Schemas['DeletedServiceAccount']> {
    return this.api.request('DELETE', '/v1/service-accounts/{id}', { path: { id }, ...options });
  }
}

/** Short-lived tokens with which web pages use some documents. */
export class Tokens extends Resource {
  /** Only this response contains the token itself. */
  create(body: Schemas['CreateToken'], options?: RequestOptions): Call<Schemas['BrowserToken']> {
    return this.api.request('POST', '/v1/tokens', { body, ...options });
  }
}

export class Usage extends Resource {
  get(options?: RequestOptions): Call<Schemas['Usage']> {
    return this.api.request('GET', '/v1/usage', { ...options });
  }

  series(query: Query<'readUsageSeries'>, options?: RequestOptions): Call<Schemas['UsageSeries']> {
    return this.api.request('GET', '/v1/usage/series', { query, ...options });
  }
}

/** The audit log. */
export class Audit extends Resource {
  list(query?: Query<'listAuditEntries'>, options?: RequestOptions): List<Schemas['AuditEntry']> {
    return this.api.list('/v1/audit', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Schemas['AuditEntry']> {
    return this.api.request('GET', '/v1/audit/{id}', { path: { id }, ...options });
  }
}

/** The log of requests with the account's keys. */
export class Requests extends Resource {
  list(query?: Query<'listRequests'>, options?: RequestOptions): List<Schemas['Request']> {
    return this.api.list('/v1/requests', { query, ...options });
  }

  get(id: string, options?: RequestOptions): Call<Schemas['Request']> {
    return this.api.request('GET', '/v1/requests/{id}', { path: { id }, ...options });
  }
}

/** The service itself. */
export class Service extends Resource {
  /** Checks that the process responds. */
  live(options?: RequestOptions): Call<Schemas['Liveness']> {
    return this.api.request('GET', '/health/live', { ...options });
  }

  /** Checks that the process can serve requests. Throws `InternalError` if it cannot. */
  ready(options?: RequestOptions): Call<Schemas['Readiness']> {
    return this.api.request('GET', '/health/ready', { ...options });
  }

  /** Returns metrics in Prometheus text format. */
  metrics(options?: RequestOptions): Call<string> {
    return this.api.request('GET', '/metrics', { ...options });
  }

  /** Returns the OpenAPI 3.1 document. */
  apiDocument(options?: RequestOptions): Call<object> {
    return this.api.request('GET', '/v1/openapi.json', { ...options });
  }
}
