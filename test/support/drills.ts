/** Whether drills run their full counts, which a release needs. */
export const isFullDrill = process.env['DRILLS'] === 'full';

/** Returns how often a drill does something: `small` in CI and beside other work, `full` with `DRILLS=full`. */
export function drillCount({ small, full }: { small: number; full: number }): number {
  return isFullDrill ? full : small;
}

/** Returns the cases of a drill: all with `DRILLS=full`, otherwise those that `small` picks. */
export function drillCases<Case>(
  cases: readonly Case[],
  small: (one: Case, index: number) => boolean,
): Case[] {
  return isFullDrill ? [...cases] : cases.filter(small);
}
