/** A heading of a Markdown text, with the part of the text that belongs to it. */
export interface Section {
  level: number;
  heading: string;
  /** Where the heading's line begins, in UTF-16 units. */
  start: number;
  /** Where its own text begins: behind the heading's line. */
  bodyStart: number;
  /** Where the next heading of the same level or a higher one begins, or the text ends. */
  end: number;
}

/** Longer lines are no headings; it bounds the work on each line. */
const MAX_HEADING_LINE = 400;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;

/** The headings of a text (`# …`), outside of fenced code, in order. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let fence: string | undefined;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, Math.min(next, start + MAX_HEADING_LINE));
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (next - start <= MAX_HEADING_LINE) {
      const hashes = HEADING.exec(line);
      if (hashes) {
        const level = hashes[1]?.length ?? 1;
        const heading = withoutClosingHashes(line.slice(hashes[0].length));
        sections.push({ level, heading, start, bodyStart: next, end: text.length });
      }
    }
    start = next;
  }
  return closed(sections);
}

/** `Title ##` is the heading `Title`. */
function withoutClosingHashes(written: string): string {
  const trimmed = written.trim();
  const bare = trimmed.replace(/#{1,400}$/, '');
  return bare === '' || /[ \t]$/.test(bare) ? bare.trim() : trimmed;
}

function closed(sections: Section[]): Section[] {
  const open: Section[] = [];
  for (const section of sections) {
    for (let last = open.at(-1); last && last.level >= section.level; last = open.at(-1)) {
      last.end = section.start;
      open.pop();
    }
    open.push(section);
  }
  return sections;
}

/** The section under a heading, however it is cased and with or without its signs; the first one of several. */
export function findSection(sections: readonly Section[], heading: string): Section | undefined {
  const wanted = plain(heading);
  return sections.find((section) => plain(section.heading) === wanted);
}

function plain(heading: string): string {
  return heading
    .trim()
    .replace(/^#{1,6}[ \t]/, '')
    .trim()
    .toLowerCase();
}

export interface Passage {
  text: string;
  from: number;
  to: number;
}

/** The part of a text from `from` on, at most `length` long; it splits no surrogate pair. */
export function passageOf(text: string, from: number, length: number): Passage {
  const start = beforePair(text, Math.min(from, text.length));
  const wanted = Math.min(start + length, text.length);
  const cut = beforePair(text, wanted);
  const end = cut > start ? cut : Math.min(wanted + 1, text.length);
  return { text: text.slice(start, end), from: start, to: end };
}

function beforePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const isInPair = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return isInPair ? at - 1 : at;
}
