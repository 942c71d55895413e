/** Requests of users. Each one is for a different account, page, document, filter or search. */
import type { Draw } from './texts.js';
import { ordinaryDocuments, TYPES } from './texts.js';

/** In the order in which they run. Lines that write come last, because totals are exact until then. */
export const LINE_NAMES = [
  'read',
  'list',
  'filter',
  'search',
  'create',
  'create-webhook',
  'change',
  'mix',
] as const;
export type LineName = (typeof LINE_NAMES)[number];

export type RequestKind = 'read' | 'list' | 'filter' | 'search' | 'create' | 'change' | 'mix';

/** An account of a side, as the load process needs it. */
export interface Tenant {
  key: string;
  /** UUID */
  accountId: string;
  /** Initial number of documents, in total and by type. */
  documents: number;
  ofType: Record<string, number>;
  /** Ids of documents from all parts of the account. */
  ids: string[];
}

/** Requirements for a response. */
export interface Expected {
  status: 200 | 201;
  /** The id of the document. */
  id?: string;
  /** Items on the page, and documents in total. Both may be higher while others create documents. */
  items?: number;
  total?: number;
  /** True if the first item must have a highlight. */
  isSearch?: boolean;
}

export interface TrafficRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** The account. */
  tenant: Tenant;
  body?: string;
  expected: Expected;
}

const DOCUMENTS = '/v1/documents';
const PAGE_LENGTH = 20;
const WORDS_IN_TITLE = 5;
const DIFFERENT_BODIES = 1_000;

/** Draws requests of one line, without end. */
export class Traffic {
  /** All titles of a process are different, because a PATCH that changes nothing creates no event. */
  private static titles = 0;
  /** JSON of documents without titles, and of contents. Each request adds a title. */
  private readonly bodies: string[];
  private readonly contents: string[];

  constructor(
    private readonly tenants: readonly Tenant[],
    private readonly draw: Draw,
  ) {
    const documents = ordinaryDocuments(DIFFERENT_BODIES, draw);
    this.bodies = documents.map((document) =>
      JSON.stringify({ ...document, title: undefined }).slice(1),
    );
    this.contents = documents.map(({ content }) => JSON.stringify(content));
  }

  next(kind: RequestKind): TrafficRequest {
    if (kind === 'mix') return this.next(this.kindOfMix());
    const tenant = this.draw.of(this.tenants);
    switch (kind) {
      case 'read':
        return this.read(tenant);
      case 'list':
        return this.list(tenant);
      case 'filter':
        return this.filter(tenant);
      case 'search':
        return this.search(tenant);
      case 'create':
        return this.create(tenant);
      case 'change':
        return this.change(tenant);
    }
  }

  /** 65 % reads, 20 % lists (every fourth by type), 5 % searches, 10 % writes (every other one a change). */
  private kindOfMix(): RequestKind {
    const lot = this.draw.below(100);
    if (lot < 65) return 'read';
    if (lot < 80) return 'list';
    if (lot < 85) return 'filter';
    if (lot < 90) return 'search';
    return lot < 95 ? 'create' : 'change';
  }

  private read(tenant: Tenant): TrafficRequest {
    const id = this.draw.of(tenant.ids);
    return get(tenant, `/${id}`, { status: 200, id });
  }

  private list(tenant: Tenant): TrafficRequest {
    const { documents } = tenant;
    const page = 1 + this.draw.below(Math.ceil(documents / PAGE_LENGTH));
    return get(tenant, `?page=${String(page)}`, expectedPage(page, documents));
  }

  private filter(tenant: Tenant): TrafficRequest {
    const type = this.draw.of(TYPES);
    const total = tenant.ofType[type] ?? 0;
    const page = 1 + this.draw.below(Math.max(1, Math.ceil(total / PAGE_LENGTH)));
    return get(tenant, `?type=${type}&page=${String(page)}`, expectedPage(page, total));
  }

  private search(tenant: Tenant): TrafficRequest {
    const query = `?q=${this.draw.word()}+${this.draw.word()}`;
    return get(tenant, query, { status: 200, isSearch: true });
  }

  private create(tenant: Tenant): TrafficRequest {
    const body = `{"title":"${this.title()}",${this.draw.of(this.bodies)}`;
    return { method: 'POST', path: DOCUMENTS, tenant, body, expected: { status: 201 } };
  }

  private title(): string {
    Traffic.titles += 1;
    return `${this.draw.words(WORDS_IN_TITLE)} ${String(Traffic.titles)}`;
  }

  private change(tenant: Tenant): TrafficRequest {
    const id = this.draw.of(tenant.ids);
    const body = `{"title":"${this.title()}","content":${this.draw.of(this.contents)}}`;
    const path = `${DOCUMENTS}/${id}`;
    return { method: 'PATCH', path, tenant, body, expected: { status: 200, id } };
  }
}

/** `rest` follows the path of all documents. */
function get(tenant: Tenant, rest: string, expected: Expected): TrafficRequest {
  return { method: 'GET', path: DOCUMENTS + rest, tenant, expected };
}

function expectedPage(page: number, total: number): Expected {
  const items = Math.max(0, Math.min(PAGE_LENGTH, total - (page - 1) * PAGE_LENGTH));
  return { status: 200, items, total };
}
