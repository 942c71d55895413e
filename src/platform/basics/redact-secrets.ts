/** What stands in place of a secret in everything that is stored or logged. */
export const REDACTED = 'REDACTED';

/** Sessions and one-time links: 32 random bytes in base64url, without a prefix. */
const TOKEN_LENGTH = 43;

/** How a character is written in a URL (also encoded more than once), or in JSON or source text. */
const ESCAPE = String.raw`(?:%(?:25)*|\\{1,8}(?:u00|x))`;
/** A character of base64url, written plainly or escaped. */
const TOKEN_CHARACTER = `(?:[A-Za-z0-9_-]|${ESCAPE}(?:2d|5f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]))`;
/** A character of base64 that base64url does not have. */
const BASE64_SIGN = String.raw`(?:\\{0,8}[+/=]|${ESCAPE}(?:2b|2f|3d))`;

/** A sign or a space that may stand in the middle of a broken secret, such as the line break of a terminal. */
const BREAK = String.raw`(?:(?!${TOKEN_CHARACTER})(?:${ESCAPE}[0-9a-f]{2}|\\{1,8}[^ux\\]|[^A-Za-z0-9_%\\-]))`;

/** A whole key, or the least of a webhook secret, broken or not. Each character can be read in one way, so no match is tried twice. */
const BROKEN = new RegExp(
  `${escapable('ds_live_')}(?:${BREAK}{0,8}${TOKEN_CHARACTER}){38}${TOKEN_CHARACTER}*|` +
    `${escapable('whsec_')}(?:${BREAK}{0,8}${TOKEN_CHARACTER}){32}(?:${TOKEN_CHARACTER}|${BASE64_SIGN})*`,
  'gi',
);
const PREFIXED = new RegExp(
  `${escapable('ds_live_')}${TOKEN_CHARACTER}*|${escapable('whsec_')}(?:${TOKEN_CHARACTER}|${BASE64_SIGN})*`,
  'gi',
);
const TOKEN = new RegExp(`${TOKEN_CHARACTER}{${String(TOKEN_LENGTH)},}`, 'gi');
const ESCAPED_CHARACTER = new RegExp(`${ESCAPE}([0-9a-f]{2})`, 'gi');

/**
 * Returns the text without anything that looks like a secret of this service: API keys and webhook secrets, by their
 * prefixes, and tokens of sessions and one-time links, by their form: a run of 43 or more characters of base64url with
 * both upper and lower case, so that hexadecimal digests and slugs stay. Apply it to everything that is stored or logged
 * and that a client can influence, except to what customers store on purpose, such as documents. For JSON text use
 * {@link redactSecretsInJson}. Takes linear time.
 */
export function redactSecrets(text: string): string {
  // Prefixes first: a run of token characters that begins before a prefix may end in the middle of its secret.
  return text
    .replace(BROKEN, (found) => (isRandom(found) ? REDACTED : found))
    .replace(PREFIXED, REDACTED)
    .replace(TOKEN, (found) => (isToken(found) ? REDACTED : found));
}

/** Characters that a secret may take beyond the end of what is stored of a text, with escapes. */
const LOOK_BEYOND = 1_000;

/** Returns the first characters of a text without secrets. Half of a secret has no form by which it could be found. */
export function redactedStart(text: string, length: number): string {
  return redactSecrets(text.slice(0, length + LOOK_BEYOND))
    .slice(0, length)
    .toWellFormed();
}

/** Redacts every string of a JSON text, names of members included. Returns JSON text, with the line feed at its end. */
export function redactSecretsInJson(json: string): string {
  // Rewriting only what holds a secret keeps the common case cheap.
  if (redactSecrets(json) === json) return json;
  return JSON.stringify(redactSecretsIn(JSON.parse(json))) + (json.endsWith('\n') ? '\n' : '');
}

/** Returns a copy of a JSON value with every string redacted, names of members included. */
export function redactSecretsIn<Value>(value: Value): Value {
  return redacted(value) as Value;
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactSecrets(name), redacted(member)]),
  );
}

function isToken(found: string): boolean {
  const text = unescaped(found);
  return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** False for a short prefixed text and the words that follow it. */
function isRandom(found: string): boolean {
  return isToken(found) && /[0-9]/.test(unescaped(found));
}

function unescaped(text: string): string {
  return text.replace(ESCAPED_CHARACTER, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

/** A pattern of the text with any of its characters escaped. */
function escapable(text: string): string {
  const patterns = Array.from(text, (letter) => {
    const code = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|${ESCAPE}${code})`;
  });
  return patterns.join('');
}
