/** What a person may do in a collection. Each right includes those before it. */
export const RIGHTS = ['viewer', 'editor', 'manager'] as const;
export type Right = (typeof RIGHTS)[number];

/** Who can use a collection and all below it that has no access of its own. User IDs are UUIDs. */
export interface StoredAccess {
  /** The right of every member of the account. Null for none. */
  everyone: Right | null;
  people: readonly { userId: string; right: Right }[];
}
