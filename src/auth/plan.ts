/** The plans of the specification, cheapest first. */
export const PLANS = ['free', 'plus', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** The columns of the specification's table "Limits", shortest first. */
export const WINDOWS = ['minute', 'hour', 'day'] as const;
export type Window = (typeof WINDOWS)[number];

/** An Enterprise account's own numbers: requests in each window; `null` is unlimited. */
export type CustomLimits = Record<Window, number | null>;
