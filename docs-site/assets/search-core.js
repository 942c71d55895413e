// The search, used by the page and by tests.
import MiniSearch from 'minisearch';

/** Words of newcomers, and the words that the pages use. Both sides are single words. */
const SYNONYMS = {
  401: ['unauthorized'],
  403: ['forbidden'],
  404: ['found'],
  409: ['conflict'],
  412: ['version', 'conflict', 'etag'],
  413: ['payload', 'large'],
  429: ['rate', 'limited'],
  503: ['unavailable'],
  ai: ['model', 'mcp'],
  arriving: ['failed', 'delivery'],
  auth: ['key'],
  authentication: ['key'],
  autosave: ['edit'],
  backup: ['restore', 'dump'],
  bulk: ['batch'],
  callback: ['webhook'],
  claude: ['mcp'],
  container: ['docker', 'image'],
  cursor: ['pagination', 'page'],
  dedupe: ['idempotency'],
  delete: ['trash'],
  delivered: ['failed', 'delivery'],
  deploy: ['docker', 'kubernetes'],
  docker: ['container', 'image', 'deploy'],
  env: ['configuration'],
  error: ['code'],
  exceeded: ['limited', 'limit'],
  find: ['search'],
  fix: ['correct', 'improve', 'enhance'],
  grammar: ['analysis'],
  hmac: ['signature'],
  history: ['version'],
  install: ['deploy'],
  javascript: ['typescript'],
  js: ['typescript'],
  k8s: ['kubernetes'],
  llm: ['model', 'mcp'],
  lint: ['analysis'],
  node: ['typescript'],
  paginate: ['pagination', 'page', 'cursor'],
  password: ['reset', 'sign'],
  permission: ['scope'],
  poll: ['event', 'follow'],
  pypi: ['python'],
  recover: ['restore'],
  retry: ['idempotency', 'safe'],
  revert: ['restore', 'version'],
  role: ['member', 'scope'],
  rollback: ['restore'],
  sdk: ['client'],
  search: ['find'],
  self: ['deploy'],
  signature: ['verify', 'signed'],
  spelling: ['analysis', 'correct'],
  sync: ['event', 'follow'],
  throttle: ['rate', 'limit'],
  throttled: ['rate', 'limited'],
  timezone: ['zone'],
  token: ['key'],
  typo: ['spelling'],
  undelete: ['restore', 'trash'],
  undo: ['restore', 'revert', 'version'],
  upgrade: ['update'],
};

/** Words that say nothing about the subject of a question. */
const STOP_WORDS = new Set(
  'a about all an and another any are as at back be been by can do does for from get has have help here how i if in into is it just make many me mean meaning means much must my need no of on or other our out own please same see should show so some than that the their them there they this to up use using want vs was we were what when where which why will with would you your'.split(
    ' ',
  ),
);

/** Removes endings, so that "rotating" finds "rotate". The result only has to be the same for both. HTTPS is no plural. */
function stemOf(word) {
  if (word.length < 4 || /\d|^[^aeiouy]+$/.test(word)) return word;
  return word
    .replace(/(ies|ied)$/, 'y')
    .replace(/(?<=...)(ing|ed|es|s)$/, '')
    .replace(/(?<=....)ion$/, '')
    .replace(/(?<=...)(.)\1$/, '$1')
    .replace(/(?<=..)e$/, '');
}

export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const processTerm = (word) => (STOP_WORDS.has(word) ? null : stemOf(word));

const BOOST = { title: 6, heading: 4, description: 2.5, keywords: 2.5, text: 1 };

/**
 * Builds the index from `search-index.json`, whose `pages` are `[url, title, section, description, keywords, sections]`, and whose
 * sections are `[anchor, heading, text]`. The first section of a page has no heading.
 */
export function createSearch({ pages }) {
  const entries = pages.flatMap(([url, title, section, description, keywords, sections], page) =>
    sections.map(([anchor, heading, text], index) => ({
      id: `${page}.${index}`,
      url: anchor ? `${url}#${anchor}` : url,
      page: url,
      section,
      title,
      heading,
      // Only the page itself has its description, so that it comes before its sections.
      description: index === 0 ? description : '',
      keywords: index === 0 ? keywords : '',
      text,
    })),
  );
  const index = new MiniSearch({
    fields: Object.keys(BOOST),
    storeFields: ['url', 'page', 'section', 'title', 'heading', 'description', 'text'],
    tokenize: wordsOf,
    processTerm,
  });
  index.addAll(entries);
  return index;
}

/** Returns up to `limit` pages, best first, each with its best section and the stems that it matches. */
export function search(index, query, limit = 8) {
  const words = wordsOf(query);
  const useful = words.filter((word) => !STOP_WORDS.has(word));
  if (useful.length === 0) return [];
  const terms = useful.map((word, at) => termQuery(word, at === useful.length - 1));
  const options = { boost: BOOST, boostDocument };
  const all = index.search({ combineWith: 'AND', queries: terms }, options);
  const some = index.search({ combineWith: 'OR', queries: terms }, options);
  const pages = new Map();
  for (const found of [...all, ...some]) if (!pages.has(found.page)) pages.set(found.page, found);
  return [...pages.values()].slice(0, limit);
}

/** A word, or one of its synonyms. The last word may be incomplete. */
function termQuery(word, isLast) {
  const synonyms = SYNONYMS[word] ?? SYNONYMS[word.replace(/s$/, '')] ?? [];
  const own = {
    queries: [word],
    prefix: isLast || word.length > 3,
    fuzzy: word.length > 4 ? 0.2 : false,
    weights: { fuzzy: 0.3, prefix: 0.6 },
  };
  if (synonyms.length === 0) return own;
  return {
    combineWith: 'OR',
    queries: [
      own,
      { combineWith: 'OR', queries: synonyms, prefix: false, fuzzy: false, boostTerm: () => 0.5 },
    ],
  };
}

/** A page comes before its sections, a task before the reference of what it uses, and everything before the changelog. */
function boostDocument(id, term, { page }) {
  const weight = page.includes('/changelog/') ? 0.3 : page.includes('/reference/') ? 0.8 : 1;
  return (id.endsWith('.0') ? 1.15 : 1) * weight;
}

/** Returns a part of a text around the first match, as `[text, isMatch]` pairs. */
export function excerptOf(text, stems, length = 150) {
  const matches = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) =>
    stems.some((stem) => stemOf(word.toLowerCase()).startsWith(stem)),
  );
  const start = startOf(text, (matches[0]?.index ?? 0) - 50);
  const end = endOf(text, start + length);
  const parts = start > 0 ? [['… ', false]] : [];
  let at = start;
  for (const { index, 0: word } of matches) {
    if (index < at || index + word.length > end) continue;
    parts.push([text.slice(at, index), false], [word, true]);
    at = index + word.length;
  }
  parts.push([text.slice(at, end) + (end < text.length ? ' …' : ''), false]);
  return parts.filter(([part]) => part !== '');
}

function endOf(text, wanted) {
  if (wanted >= text.length) return text.length;
  const space = text.lastIndexOf(' ', wanted);
  return space > wanted - 30 ? space : wanted;
}

function startOf(text, wanted) {
  if (wanted <= 0) return 0;
  return text.indexOf(' ', wanted) + 1;
}
