import { encodeId } from '../../platform/basics/identifiers/identifiers.js';

/** What a user is: someone who signs in, or a service account, which only owns API keys. */
export const USER_KINDS = ['person', 'service'] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** A user as shown in responses and archives. The id is a UUID. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** Returns the user with its public id. */
export function presentPerson({ id, name, email }: Person): Person {
  return { id: encodeId('user', id), name, email };
}
