/** Removes what has outlived its time, batch by batch. Several workers may do it at once. */
export interface Purge {
  /** What is removed, to continue "… could not be purged". */
  readonly what: string;
  /** Removes at most a small batch of what is due; returns whether there may be more. */
  purgeBatch(): Promise<boolean>;
}

export const PURGES = Symbol('purges');
