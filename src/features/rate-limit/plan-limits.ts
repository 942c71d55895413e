import { UNLIMITED_WINDOWS, type Plan, type Window, type WindowLimits } from '../auth/plan.js';

/** Length of each window in seconds. */
export const WINDOW_SECONDS: Readonly<Record<Window, number>> = {
  minute: 60,
  hour: 3_600,
  day: 86_400,
};

/** The specification's table "Limits", literally. */
export const PLAN_LIMITS: Readonly<Record<Exclude<Plan, 'enterprise'>, WindowLimits>> = {
  free: { minute: 10, hour: 100, day: 1_000 },
  plus: { minute: 60, hour: 1_000, day: 10_000 },
  pro: { minute: 300, hour: 5_000, day: 50_000 },
};

/** Read requests of one signed-in person across all accounts. More than anyone can make by hand. */
export const PERSON_LIMITS: WindowLimits = { minute: 600, hour: null, day: null };

/** Changes per minute of one person in one account, by plan, so the dashboard cannot bypass the limits of keys. */
const CHANGES_PER_MINUTE: Readonly<Record<Plan, number>> = {
  free: 30,
  plus: 60,
  pro: 120,
  enterprise: 600,
};

/** Returns the limits on changes by one person in an account on this plan. */
export function changeLimitsOf(plan: Plan): WindowLimits {
  return { minute: CHANGES_PER_MINUTE[plan], hour: null, day: null };
}

/** Returns the account's limits: those of its plan, or its own on Enterprise ("custom" in the specification). */
export function limitsOf(plan: Plan, customLimits: WindowLimits | null): WindowLimits {
  return plan === 'enterprise' ? (customLimits ?? UNLIMITED_WINDOWS) : PLAN_LIMITS[plan];
}
