/** Replaces a secret in everything that is stored or logged. */
export const REDACTED = 'REDACTED';

/** Sessions and one-time links: 32 random bytes in base64url, without a prefix. */
const TOKEN_LENGTH = 43;

/** Prefix of an escaped character in a URL (even if encoded more than once), in JSON or in source text. */
const ESCAPE = String.raw`(?:%(?:25)*|\\{1,8}(?:u00|x))`;
/** A character of base64url, plain or escaped. */
const TOKEN_CHARACTER = `(?:[A-Za-z0-9_-]|${ESCAPE}(?:2d|5f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]))`;
/** A character that base64 has and base64url does not. */
const BASE64_SIGN = String.raw`(?:\\{0,8}[+/=]|${ESCAPE}(?:2b|2f|3d))`;

/** A character that can interrupt a broken secret, such as the line break of a terminal. */
const BREAK = String.raw`(?:(?!${TOKEN_CHARACTER})(?:${ESCAPE}[0-9a-f]{2}|\\{1,8}[^ux\\]|[^A-Za-z0-9_%\\-]))`;

/**
 * A complete key or the minimum of a webhook secret, broken or not. Each character matches in only one way, so there is
 * no backtracking.
 */
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
 * Returns the text without anything that looks like a secret of this service. API keys and webhook secrets are found by
 * their prefixes. Tokens of sessions and one-time links are found by their form: 43 or more base64url characters in upper
 * and lower case, so hexadecimal digests and slugs stay. Use this for everything that is stored or logged and that a
 * client can influence, except customer content such as documents. For JSON text use {@link redactSecretsInJson}. Takes
 * linear time.
 */
export function redactSecrets(text: string): string {
  // Replace prefixed secrets first: a run of token characters before a prefix may end within the secret.
  return text
    .replace(BROKEN, (found) => (isRandom(found) ? REDACTED : found))
    .replace(PREFIXED, REDACTED)
    .replace(TOKEN, (found) => (isToken(found) ? REDACTED : found));
}

/** Maximum length of an escaped secret that begins before the cut. */
const LOOK_BEYOND = 1_000;

/**
 * Redacts secrets and returns the first characters of the text. Redacts before cutting, because half a secret is not
 * recognizable.
 */
export function redactedStart(text: string, length: number): string {
  return redactSecrets(text.slice(0, length + LOOK_BEYOND))
    .slice(0, length)
    .toWellFormed();
}

/** Redacts every string in a JSON text, including names, and returns JSON text with its trailing line feed. */
export function redactSecretsInJson(json: string): string {
  // Most texts have no secret and need no rewriting.
  if (redactSecrets(json) === json) return json;
  return JSON.stringify(redactSecretsIn(JSON.parse(json))) + (json.endsWith('\n') ? '\n' : '');
}

/** Returns a copy of a JSON value with every string redacted, including names. */
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

/** True for random characters; false for a prefix followed by words. */
function isRandom(found: string): boolean {
  return isToken(found) && /[0-9]/.test(unescaped(found));
}

function unescaped(text: string): string {
  return text.replace(ESCAPED_CHARACTER, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

/** Returns a pattern for the text in which any character can be escaped. */
function escapable(text: string): string {
  const patterns = Array.from(text, (letter) => {
    const code = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|${ESCAPE}${code})`;
  });
  return patterns.join('');
}
