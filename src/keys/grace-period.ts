/** How long a rotated key stays valid beside its successor, in seconds. */
export const DEFAULT_GRACE_SECONDS = 86_400;
export const MAX_GRACE_SECONDS = 604_800;
