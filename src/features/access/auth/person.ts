import { isObject } from '../../../platform/http/bodies/json-text.js';
import { isId, isText, type MemberCheck } from '../../../platform/http/envelope/record-fields.js';
import { decodeId, encodeId } from '../../../platform/basics/identifiers/identifiers.js';

const MAX_CHARACTERS = 1_000;

/** A user as answers and archives name one. The id is a UUID. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** A user as a client reads it: the same with the public id. */
export function presentPerson({ id, name, email }: Person): Person {
  return { id: encodeId('user', id), name, email };
}

/** Whether a member of a record names a user; {@link readPerson} gives whom. */
export const isPerson: MemberCheck<Person> = (value) => {
  const { id, name, email } = isObject(value) ? value : {};
  const wrong = isId('user')(id) ?? isText(MAX_CHARACTERS)(name) ?? isText(MAX_CHARACTERS)(email);
  return wrong === undefined ? undefined : 'must be a user with id, name and email';
};

/** The user that a public form names. */
export function readPerson({ id, name, email }: Person): Person {
  return { id: decodeId('user', id) ?? id, name, email };
}
