const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 60 * 60 * 1000;

/**
 * Milliseconds that the header `Retry-After` asks for, given in seconds or as an HTTP date, between a second and a day;
 * `undefined` when it is missing or neither.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const asked = millisecondsOf(value?.trim() ?? '', now);
  return asked === undefined ? undefined : Math.min(Math.max(asked, SHORTEST_MS), LONGEST_MS);
}

/** What time the receiver says it is, by which it names others; `otherwise` when it says none. */
export function timeOfAnswer(date: string | undefined, otherwise: Date): Date {
  return httpDate(date?.trim() ?? '') ?? otherwise;
}

function millisecondsOf(text: string, now: Date): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = httpDate(text);
  return at && at.getTime() - now.getTime();
}

/** HTTP dates are in GMT and say so; what does not would be read as a local time. */
function httpDate(text: string): Date | undefined {
  if (!/^[A-Z][a-z]+,? .* GMT$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
