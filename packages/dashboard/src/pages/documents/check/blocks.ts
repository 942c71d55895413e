/** A part of a Markdown text between blank lines. Positions are UTF-16 offsets. */
export interface Block {
  from: number;
  to: number;
  text: string;
}

/** Returns the blocks of a text in order. Fenced code with blank lines is one block. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let fence: string | undefined;
  let [from, to] = [-1, 0];
  const close = () => {
    if (from !== -1) blocks.push({ from, to, text: text.slice(from, to) });
    from = -1;
  };
  let at = 0;
  for (const line of text.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && line.trim() === '') close();
    else {
      if (from === -1) from = at;
      to = at + line.length;
    }
    if (fence === undefined) fence = marker;
    else if (marker?.startsWith(fence) === true && line.trim() === marker) fence = undefined;
    at += line.length + 1;
  }
  close();
  return blocks;
}

/** A request to check some blocks of a text. The rest of `content` is context. */
export interface CheckRequest {
  content: string;
  /** The blocks to check, as ranges of `content`. */
  ranges: { start: number; end: number }[];
  blocks: readonly Block[];
}

/** Maximum length of a request, and of its blocks together, in UTF-16 units. */
export const REQUEST = { content: 16_000, blocks: 4_000 };

/** Returns the request for as many of the wanted blocks as fit, the first ones first. At least one is wanted. */
export function requestFor(
  text: string,
  all: readonly Block[],
  wanted: readonly Block[],
): CheckRequest {
  const window = windowAround(text, all, wanted);
  const blocks: Block[] = [];
  let length = 0;
  for (const block of wanted) {
    const fits = blocks.length === 0 || length + block.text.length <= REQUEST.blocks;
    if (!fits || block.from < window.from || block.to > window.to) continue;
    blocks.push(block);
    length += block.text.length;
  }
  blocks.sort((one, other) => one.from - other.from);
  return {
    content: text.slice(window.from, window.to),
    ranges: blocks.map(({ from, to }) => ({ start: from - window.from, end: to - window.from })),
    blocks,
  };
}

/** Returns the part of the text that gives the first wanted block its context: all of it, if it is short. */
function windowAround(text: string, all: readonly Block[], [first]: readonly Block[]) {
  if (text.length <= REQUEST.content || !first) return { from: 0, to: text.length };
  let start = all.indexOf(first);
  let end = start;
  const lengthOf = (low: number, high: number) => (all[high]?.to ?? 0) - (all[low]?.from ?? 0);
  // Half of the context is before the block. An indented block continues a list above it.
  while (start > 0 && lengthOf(start - 1, end) <= REQUEST.content / 2) start -= 1;
  while (end < all.length - 1 && lengthOf(start, end + 1) <= REQUEST.content) end += 1;
  while (/^\s/.test(all[start]?.text ?? '') && all[start] !== first) start += 1;
  return { from: all[start]?.from ?? 0, to: all[end]?.to ?? text.length };
}
