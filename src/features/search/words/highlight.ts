/** What a search found in a document: a part of a text, and what matches there. */
export interface Fragment {
  text: string;
  /** Whole between white space, with the punctuation that stands there. */
  words: readonly string[];
  /** Stretches of scripts without spaces. */
  stretches: readonly string[];
}

/** Punctuation around a word. What is written onto its last letter, such as a vowel in Hindi, is part of it, and so is the + of C++. */
const EDGES = /^([^\p{L}\p{N}]*)(.*?[+#]*)([^\p{L}\p{M}\p{N}]*)$/su;

/** The fragment as HTML text: matches stand in `<mark>`, everything else is escaped, white space is one space. */
export function highlight({ text, words, stretches }: Fragment): string {
  const wanted = new Set(words);
  return text
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => (wanted.has(token) ? markWord(token) : markStretches(token, stretches)))
    .join(' ');
}

function markWord(token: string): string {
  const [, before = '', word = '', after = ''] = EDGES.exec(token) ?? [];
  return word === '' ? mark(token) : escapeHtml(before) + mark(word) + escapeHtml(after);
}

/** Marks every occurrence of the first stretch, and of the others in what is left. */
function markStretches(token: string, [stretch, ...others]: readonly string[]): string {
  if (stretch === undefined) return escapeHtml(token);
  const parts = token.split(stretch).map((part) => markStretches(part, others));
  return parts.join(mark(stretch));
}

function mark(text: string): string {
  return `<mark>${escapeHtml(text)}</mark>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
