/** The plans of the specification, cheapest first. */
export const PLANS = ['free', 'plus', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** The columns of the specification's table "Limits", shortest first. */
export const WINDOWS = ['minute', 'hour', 'day'] as const;
export type Window = (typeof WINDOWS)[number];

/** Requests allowed in each window; `null` is unlimited. */
export type WindowLimits = Record<Window, number | null>;
