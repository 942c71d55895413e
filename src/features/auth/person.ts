import { encodeId } from '../../platform/basics/identifiers/identifiers.js';

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
