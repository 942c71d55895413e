import type { MarkdownIt, Token } from 'markdown-it';

/**
 * Makes the parser record where each inline token starts in the content of its block, which markdown-it does not report.
 * Returns a function that looks up the start. Tokens cover the content without gaps, except for white space before line
 * breaks, so each token ends where the next one starts.
 */
export function inlinePositions(parser: MarkdownIt): (token: Token) => number {
  const starts = new WeakMap<Token, number>();
  const startOf = (token: Token | undefined) => (token && starts.get(token)) ?? 0;

  class PositionedState extends parser.inline.State {
    /** Start of the plain text in `pending`. */
    textStart = 0;

    override pushPending(): Token {
      const token = super.pushPending();
      starts.set(token, this.textStart);
      return token;
    }

    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting);
      const previous = this.tokens.at(-2);
      // A run of emphasis markers is pushed one by one, while the position stays at the first one.
      const isInRun = type === 'text' && previous?.type === 'text' && startOf(previous) >= this.pos;
      starts.set(token, isInRun ? startOf(previous) + previous.content.length : this.pos);
      return token;
    }
  }

  parser.inline.State = PositionedState;
  // Runs at each position before any rule that may add to `pending`.
  parser.inline.ruler.before('text', 'text_start', (state, silent) => {
    if (!silent && state.pending === '') (state as PositionedState).textStart = state.pos;
    return false;
  });
  return startOf;
}
