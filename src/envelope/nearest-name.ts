import { distance } from 'fastest-levenshtein';

/** The known name a caller most likely meant, or `undefined` when none is near: at most a third of it differs. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const lower = given.slice(0, 64).toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of known) {
    const differing = distance(lower, name.toLowerCase());
    if (differing < least) [nearest, least] = [name, differing];
  }
  return nearest !== undefined && least <= Math.max(1, Math.ceil(nearest.length / 3))
    ? nearest
    : undefined;
}

/** What is wrong with a name that is not known, with the one that was likely meant. */
export function unknownNameIssue(given: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known field; this request takes none';
  const nearest = nearestName(given, known);
  const hint = nearest ? `did you mean '${nearest}'?` : `known names are ${known.join(', ')}`;
  return `is not a known field; ${hint}`;
}
