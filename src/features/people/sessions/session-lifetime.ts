const DAY_MS = 24 * 60 * 60 * 1000;

/** A session ends so long after it began. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** A session ends when it was not used for so long. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
