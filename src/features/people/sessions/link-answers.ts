import type { Caller } from '../../../platform/database/bounded-queue.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { Client } from './client.js';
import type { Session } from './session/sessions.repository.js';

/** What somebody who opened a link fills in; which of it is needed says the link. */
export interface LinkAnswers {
  token: string;
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  code?: string | undefined;
}

/** Who uses a link: the client, and the session of somebody who is signed in already. */
export interface LinkUser {
  client: Client;
  session: Session | undefined;
  caller?: Caller;
}

/** These answers. Throws `bad_request` that names those that are missing. */
export function required<Name extends 'email' | 'name' | 'password'>(
  answers: LinkAnswers,
  ...names: Name[]
): Record<Name, string> {
  const missing = names
    .filter((name) => answers[name] === undefined)
    .map((field): FieldProblem => ({ field, issue: 'required field missing' }));
  const [first, ...rest] = missing;
  if (first) throw invalidFields([first, ...rest]);
  return answers as Record<Name, string>;
}
