import { stringValue } from '../../../platform/http/bodies/json-syntax-tree.js';

/** A string, or white space between other tokens. Stands for text that parses, so that it need not look at the rest. */
const STRING_OR_SPACE = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g;

/**
 * Whether two JSON texts say the same to whoever reads every digit: white space between tokens and the escapes in
 * strings do not count. The order of members and the spelling of numbers do (`1.0` is not `1`), because both come back as
 * they were sent. Only for text that parses.
 */
export function sameJson(one: string, other: string): boolean {
  return one === other || compact(one) === compact(other);
}

/** Each value in one spelling. */
function compact(text: string): string {
  return text.replace(STRING_OR_SPACE, (found) =>
    found.startsWith('"') ? JSON.stringify(stringValue(found)) : '',
  );
}
