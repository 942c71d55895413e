import { useState, type ReactNode } from 'react';
import { asFailure } from '../../api/failure.js';
import { CodeField, problemOf } from '../people/person-fields.js';

interface SecondFactor {
  /** The code, for the request body. */
  fields: { code?: string };
  /** Asks for the code once the service requires it. */
  field: ReactNode;
  passwordProblem: string | undefined;
  /** The error of the request, unless a field shows it or it only asks for the code. */
  otherError: unknown;
}

/** The code of a second factor, for a form that sends a password. `error`: the error of its request. */
export function useSecondFactor(error: unknown): SecondFactor {
  const [code, setCode] = useState('');
  const [isAsked, setAsked] = useState(false);
  const failure = error === null || error === undefined ? undefined : asFailure(error);
  const isAboutCode = failure?.details.code === 'second factor';
  if (isAboutCode && !isAsked) setAsked(true);
  const isPasswordWrong = failure?.status === 401 && !isAboutCode;
  const isShown = isAboutCode || isPasswordWrong || problemOf(error, 'code') !== undefined;
  return {
    fields: code.trim() === '' ? {} : { code: code.trim() },
    field: isAsked && (
      <CodeField value={code} onChange={setCode} error={error} announces autoFocus />
    ),
    passwordProblem: isPasswordWrong ? 'Wrong email or password.' : undefined,
    otherError: isShown ? null : error,
  };
}
