/** Goals of an enhancement that rules can reach, besides `correct`. */
export const RULE_GOALS = ['consistency', 'simplify', 'title'] as const;
export type RuleGoal = (typeof RULE_GOALS)[number];
