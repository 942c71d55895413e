import { Api } from './api.js';
import type { Call } from './call.js';
import {
  Account,
  Audit,
  Keys,
  Members,
  Requests,
  Service,
  ServiceAccounts,
  Tokens,
  Usage,
} from './resources/account.js';
import { Analysis, Dictionary, StyleRules } from './resources/analysis.js';
import { Collections } from './resources/collections.js';
import { Documents, Proposals } from './resources/documents.js';
import { Events } from './resources/events.js';
import { Jobs } from './resources/jobs.js';
import { Releases } from './resources/releases.js';
import { Templates } from './resources/templates.js';
import { Deliveries, Webhooks } from './resources/webhooks.js';
import type { RequestOptions } from './transport.js';
import type { Schemas } from './types.js';

/** A client for one account. It holds no connection and can be shared. */
export class DocumentService extends Api {
  readonly documents = new Documents(this);
  readonly proposals = new Proposals(this);
  readonly collections = new Collections(this);
  readonly releases = new Releases(this);
  readonly templates = new Templates(this);
  readonly webhooks = new Webhooks(this);
  readonly deliveries = new Deliveries(this);
  readonly events = new Events(this);
  readonly keys = new Keys(this);
  readonly members = new Members(this);
  readonly serviceAccounts = new ServiceAccounts(this);
  readonly tokens = new Tokens(this);
  readonly account = new Account(this);
  readonly analysis = new Analysis(this);
  readonly dictionary = new Dictionary(this);
  readonly styleRules = new StyleRules(this);
  readonly jobs = new Jobs(this);
  readonly usage = new Usage(this);
  readonly requests = new Requests(this);
  readonly audit = new Audit(this);
  readonly service = new Service(this);

  /** Returns the API key with its scopes, account and plan. */
  me(options?: RequestOptions): Call<Schemas['Me']> {
    return this.request('GET', '/v1/me', { ...options });
  }
}
