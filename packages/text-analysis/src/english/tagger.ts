import type { ItsFunction, WinkMethods } from 'wink-nlp';
import type { Reading } from '../text/reading.js';

export interface Token {
  text: string;
  lower: string;
  /** Universal part of speech: NOUN, VERB, AUX, ADJ, DET, PRON, ADP, PUNCT … */
  pos: string;
  start: number;
  end: number;
  blankBefore: boolean;
  /** True if the token stands for code, a URL or similar. */
  isMasked: boolean;
}

/** Runs wink-nlp with its small English model: 86 MB, about 16 ms per 1,000 words. */
export class Tagger {
  private constructor(private readonly nlp: WinkMethods) {}

  static async load(): Promise<Tagger> {
    const [{ default: winkNLP }, { default: model }] = await Promise.all([
      import('wink-nlp'),
      import('wink-eng-lite-web-model'),
    ]);
    return new Tagger(winkNLP(model, ['sbd', 'pos']));
  }

  tokensOf(reading: Reading): Token[] {
    const text = reading.text.replace(LONG_RUN, filler);
    const read = this.nlp.readDoc(text).tokens();
    const values = read.out();
    const { pos } = this.nlp.its as { pos: ItsFunction<string> };
    const tags = read.out<string>(pos);
    const tokens: Token[] = [];
    let at = 0;
    for (const [index, value] of values.entries()) {
      // Only white space separates tokens, so the next one is near. wink may spell unusual signs differently.
      const near = text.slice(at, at + value.length + MOST_BLANKS).indexOf(value);
      if (near < 0) continue;
      const start = at + near;
      const end = start + value.length;
      const blankBefore = start > 0 && text[start - 1] === ' ';
      const last = tokens[tokens.length - 1];
      if (last && !blankBefore && last.end === start && CLITIC.test(value)) {
        // wink splits "don't" into "do" and "n't".
        last.text += value;
        last.lower = last.text.toLowerCase().replaceAll('’', "'");
        last.end = end;
      } else {
        const lower = value.toLowerCase();
        tokens.push({
          text: value,
          lower,
          pos: tags[index] ?? 'X',
          start,
          end,
          blankBefore,
          isMasked: reading.isMasked(start),
        });
      }
      at = end;
    }
    return tokens;
  }
}

/** Characters without spaces that are no word. wink's patterns take quadratic time for them. */
const LONG_RUN = /\S{200,}/g;

/** Returns short words of the same length. */
function filler(run: string): string {
  return `${'x'.repeat(49)} `.repeat(Math.ceil(run.length / 50)).slice(0, run.length);
}

/** Maximum distance, in UTF-16 units, at which to look for a token. */
const MOST_BLANKS = 200;

const CLITIC = /^(?:n['’]t|['’](?:t|s|re|ve|ll|d|m))$/i;
