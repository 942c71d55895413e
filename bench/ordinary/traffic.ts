/** Requests of users. Each one is for a different account, page, document, filter or search. */
import type { Draw } from './texts.js';
import { ordinaryDocuments, TYPES } from './texts.js';

export const LINE_NAMES = [
  'read',
  'list',
  'large-list',
  'filter',
  'search',
  'create',
  'change',
  'mix',
] as const;
export type LineName = (typeof LINE_NAMES)[number];

/** An account of a side, as the load process needs it. */
export interface Tenant {
  key: string;
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
}

export interface TrafficRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  key: string;
  body?: string;
  expected: Expected;
}

const DOCUMENTS = '/v1/documents';
const PAGE_LENGTH = 20;
const WORDS_IN_TITLE = 5;
const DIFFERENT_BODIES = 1_000;

/** Draws requests of one line, without end. The last account is the large one. */
export class Traffic {
  /** All titles of a process are different, because a PATCH that changes nothing creates no event. */
  private static titles = 0;
  /** JSON of documents without titles, and of contents. Each request adds a title. */
  private readonly bodies: string[];
  private readonly contents: string[];
  private readonly ordinary: readonly Tenant[];
  private readonly large: Tenant;

  constructor(
    private readonly tenants: readonly Tenant[],
    private readonly draw: Draw,
  ) {
    this.ordinary = tenants.slice(0, -1);
    this.large = tenants.at(-1) as Tenant;
    const documents = ordinaryDocuments(DIFFERENT_BODIES, draw);
    this.bodies = documents.map((document) =>
      JSON.stringify({ ...document, title: undefined }).slice(1),
    );
    this.contents = documents.map(({ content }) => JSON.stringify(content));
  }

  next(line: LineName): TrafficRequest {
    switch (line) {
      case 'read':
        return this.read();
      case 'list':
        return this.list(this.draw.of(this.ordinary));
      case 'large-list':
        return this.list(this.large);
      case 'filter':
        return this.filter();
      case 'search':
        return this.search();
      case 'create':
        return this.create();
      case 'change':
        return this.change();
      case 'mix':
        return this.mixed();
    }
  }

  /** 70 % reads, 20 % lists (every fourth by type), 10 % writes (every other one a change). */
  private mixed(): TrafficRequest {
    const lot = this.draw.below(100);
    if (lot < 70) return this.read();
    if (lot < 85) return this.list(this.draw.of(this.ordinary));
    if (lot < 90) return this.filter();
    return lot < 95 ? this.create() : this.change();
  }

  private read(): TrafficRequest {
    const { key, ids } = this.draw.of(this.tenants);
    const id = this.draw.of(ids);
    return get(key, `${DOCUMENTS}/${id}`, { status: 200, id });
  }

  private list({ key, documents }: Tenant): TrafficRequest {
    const page = 1 + this.draw.below(Math.ceil(documents / PAGE_LENGTH));
    return get(key, `${DOCUMENTS}?page=${String(page)}`, expectedPage(page, documents));
  }

  private filter(): TrafficRequest {
    const { key, ofType } = this.draw.of(this.ordinary);
    const type = this.draw.of(TYPES);
    const total = ofType[type] ?? 0;
    const page = 1 + this.draw.below(Math.max(1, Math.ceil(total / PAGE_LENGTH)));
    const query = `type=${type}&page=${String(page)}`;
    return get(key, `${DOCUMENTS}?${query}`, expectedPage(page, total));
  }

  private search(): TrafficRequest {
    const query = `q=${this.draw.word()}+${this.draw.word()}`;
    return get(this.draw.of(this.ordinary).key, `${DOCUMENTS}?${query}`, { status: 200 });
  }

  private create(): TrafficRequest {
    const { key } = this.draw.of(this.tenants);
    const body = `{"title":"${this.title()}",${this.draw.of(this.bodies)}`;
    return { method: 'POST', path: DOCUMENTS, key, body, expected: { status: 201 } };
  }

  private title(): string {
    Traffic.titles += 1;
    return `${this.draw.words(WORDS_IN_TITLE)} ${String(Traffic.titles)}`;
  }

  private change(): TrafficRequest {
    const { key, ids } = this.draw.of(this.tenants);
    const id = this.draw.of(ids);
    const body = `{"title":"${this.title()}","content":${this.draw.of(this.contents)}}`;
    const path = `${DOCUMENTS}/${id}`;
    return { method: 'PATCH', path, key, body, expected: { status: 200, id } };
  }
}

function get(key: string, path: string, expected: Expected): TrafficRequest {
  return { method: 'GET', path, key, expected };
}

function expectedPage(page: number, total: number): Expected {
  const items = Math.max(0, Math.min(PAGE_LENGTH, total - (page - 1) * PAGE_LENGTH));
  return { status: 200, items, total };
}
