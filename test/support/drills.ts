/** True if drills run with their full counts, which a release requires. */
export const isFullDrill = process.env['DRILLS'] === 'full';

/** Returns how often a drill repeats something: `full` with `DRILLS=full`, otherwise `small`. */
export function drillCount({ small, full }: { small: number; full: number }): number {
  return isFullDrill ? full : small;
}

/** Returns the cases of a drill: all with `DRILLS=full`, otherwise those that `small` selects. */
export function drillCases<Case>(
  cases: readonly Case[],
  small: (one: Case, index: number) => boolean,
): Case[] {
  return isFullDrill ? [...cases] : cases.filter(small);
}
