/** The plans of the specification, cheapest first. */
export const PLANS = ['free', 'plus', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** The columns of the specification's table "Limits", shortest first. */
export const WINDOWS = ['minute', 'hour', 'day'] as const;
export type Window = (typeof WINDOWS)[number];

/** Requests allowed in each window; `null` is unlimited. */
export type WindowLimits = Record<Window, number | null>;

export const UNLIMITED_WINDOWS: WindowLimits = { minute: null, hour: null, day: null };

/** Describes limits, such as `300 a minute, 5000 an hour, unlimited a day`. */
export function limitsText(limits: WindowLimits): string {
  return WINDOWS.map((window) => {
    const article = window === 'hour' ? 'an' : 'a';
    return `${String(limits[window] ?? 'unlimited')} ${article} ${window}`;
  }).join(', ');
}

/** True if no window is limited, so nothing has to be counted. */
export function isUnlimited(limits: WindowLimits): boolean {
  return WINDOWS.every((window) => limits[window] === null);
}
