import { InvalidArgumentError } from 'commander';
import { MAX_GRACE_SECONDS, scopeProblems } from '../../features/keys/key-fields.js';
import { currentTime } from '../../platform/basics/clock/current-time.js';
import { isWritable, parseTimestamp } from '../../platform/basics/clock/moment.js';
import { MAX_INT32 } from '../../platform/openapi/schemas.js';
import type { Scope } from '../../features/auth/scopes.js';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses scopes such as `documents:read,documents:write`. */
export function parseScopes(text: string): Scope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
  if (scopes.length === 0)
    throw new InvalidArgumentError('Enter at least one scope, such as documents:read.');
  const problems = scopeProblems(scopes).map(({ field, issue }) => `${field} ${issue}`);
  if (problems.length > 0) throw new InvalidArgumentError(problems.join('; '));
  return scopes as Scope[];
}

/**
 * Parses a time, a day (its start in UTC), or a duration from now. Returns a function, because durations start from the
 * database's time, which is known only once the command has connected.
 */
export function parseExpiry(text: string): () => Date {
  const seconds = /[a-z]$/.test(text) ? parseDuration(text) : undefined;
  const fixed = parseTimestamp(text) ?? parseTimestamp(`${text}T00:00:00Z`);
  const inSeconds = (from: number) => () => new Date(currentTime() + from * 1000);
  const expiry = seconds === undefined ? fixed && (() => fixed) : inSeconds(seconds);
  if (!expiry || !isWritable(expiry())) {
    throw new InvalidArgumentError(
      'Enter a time such as 2027-01-31T00:00:00Z, or a duration such as 30d.',
    );
  }
  return expiry;
}

/** Parses a grace period: seconds, or a duration with its unit. */
export function parseGrace(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds > MAX_GRACE_SECONDS) {
    throw new InvalidArgumentError(
      'Enter seconds or a duration such as 24h, at most 7d; 0 revokes the old key immediately.',
    );
  }
  return seconds;
}

/** Parses a number of requests. */
export const parseLimit = (text: string) =>
  parseNumber(text, 1, MAX_INT32, `Enter a whole number from 1 to ${String(MAX_INT32)}.`);

export const parseCount = (text: string) =>
  parseNumber(text, 1, 99_999, 'Enter a whole number from 1 to 99999.');

/** Parses a port; 0 selects a free one. */
export const parsePort = (text: string) =>
  parseNumber(text, 0, 65_535, 'Enter a port from 0 to 65535.');

export const parseStatus = (text: string) =>
  parseNumber(text, 200, 599, 'Enter a status from 200 to 599.');

/** Throws an error that commander shows. */
function parseNumber(text: string, min: number, max: number, message: string): number {
  const number = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new InvalidArgumentError(message);
}

/** Parses `90s`, `15m`, `24h`, `30d` or `2w`, or a number of seconds. Returns seconds. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text.trim()) ?? [];
  const seconds = SECONDS[unit];
  return digits === undefined || seconds === undefined ? undefined : Number(digits) * seconds;
}

/** The option of every command that gives a user access by e-mail address. */
export const VOUCH = [
  '--vouch',
  'verify the e-mail address yourself; its owner gets a new user, and an unverified user can no longer sign in',
] as const;
