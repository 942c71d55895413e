import { isObject } from '../../../platform/http/bodies/json-text.js';
import { isId, isText, type MemberCheck } from '../../../platform/http/envelope/record-fields.js';
import { decodeId, encodeId } from '../../../platform/basics/identifiers/identifiers.js';

const MAX_CHARACTERS = 1_000;

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

/** Checks that a JSON member is a public user; {@link readPerson} converts it. */
export const isPerson: MemberCheck<Person> = (value) => {
  const { id, name, email } = isObject(value) ? value : {};
  const wrong = isId('user')(id) ?? isText(MAX_CHARACTERS)(name) ?? isText(MAX_CHARACTERS)(email);
  return wrong === undefined ? undefined : 'must be a user with id, name and email';
};

/** Returns the user with its UUID. */
export function readPerson({ id, name, email }: Person): Person {
  return { id: decodeId('user', id) ?? id, name, email };
}
