import { endOfString, stringValue } from '../../envelope/json-structure.js';

interface Token {
  text: string;
  end: number;
}

const WORD = /[^\s{}[\]:,"]+/y;

/**
 * Whether two JSON texts say the same to whoever reads every digit: white space between tokens and the escapes in
 * strings do not count. The order of members and the spelling of numbers do (`1.0` is not `1`), because both come back as
 * they were sent. Linear, without recursion. Only for text that parses.
 */
export function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  let left = tokenAfter(one, 0);
  let right = tokenAfter(other, 0);
  while (left && right) {
    if (!sameToken(left.text, right.text)) return false;
    left = tokenAfter(one, left.end);
    right = tokenAfter(other, right.end);
  }
  return left === right;
}

function sameToken(one: string, other: string): boolean {
  if (one === other) return true;
  return one.startsWith('"') && other.startsWith('"') && stringValue(one) === stringValue(other);
}

function tokenAfter(text: string, index: number): Token | undefined {
  let start = index;
  while (start < text.length && isWhiteSpace(text.charCodeAt(start))) start += 1;
  if (start === text.length) return undefined;
  const end = endOfToken(text, start);
  return { text: text.slice(start, end), end };
}

function endOfToken(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start) + 1;
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start + 1;
}

function isWhiteSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}
