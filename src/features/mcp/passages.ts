/** A heading of a Markdown text and its section. */
export interface Section {
  level: number;
  heading: string;
  /** Start of the heading's line, in UTF-16 units. */
  start: number;
  /** Start of the text after the heading's line. */
  bodyStart: number;
  /** Start of the next heading of the same or a higher level, or the end of the text. */
  end: number;
}

/** Longer lines are not headings. This limits the work per line. */
const MAX_HEADING_LINE = 400;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;

/** Returns the headings of a text (`# …`) outside fenced code, in order. */
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

/** Removes closing hashes: `Title ##` is the heading `Title`. */
function withoutClosingHashes(text: string): string {
  const trimmed = text.trim();
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

/** Finds the first section with this heading. Ignores case and leading hashes. */
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

interface Passage {
  text: string;
  from: number;
  to: number;
}

/** Returns up to `length` characters from `from`, without splitting a surrogate pair. */
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
