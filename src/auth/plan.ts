/** The plans of the specification, cheapest first. */
export const PLANS = ['free', 'plus', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
