import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { ApiEmail, ApiText } from '../../../../platform/openapi/property-decorators.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../sign-in/passwords.js';

const MAX_NAME = 200;

/** First in every list: of several problems the first one is told. */
const isString = IsString({ message: 'must be a string' });

/** An e-mail address; its form is judged by the service. */
export const IsEmailText = () => applyDecorators(ApiEmail(), isString);

/** A password that somebody has. */
export const IsPassword = () =>
  applyDecorators(
    ApiProperty({ format: 'password', maxLength: MAX_PASSWORD, example: 'correct horse battery' }),
    isString,
    MaxLength(MAX_PASSWORD, {
      message: `is longer than any password here: ${String(MAX_PASSWORD)} characters`,
    }),
  );

/** A password to be set. */
export const IsNewPassword = () =>
  applyDecorators(
    IsPassword(),
    MinLength(MIN_PASSWORD, { message: `must have at least ${String(MIN_PASSWORD)} characters` }),
  );

/** The name of a person. */
export const IsPersonName = () =>
  applyDecorators(
    ApiText({ minLength: 1, maxLength: MAX_NAME, example: 'Ada Lovelace' }),
    isString,
    Matches(/\S/, { message: 'must not be empty or only white space' }),
    Matches(/^\P{Cc}*$/u, { message: 'must be one line, without control characters' }),
    MaxLength(MAX_NAME, { message: `must not be longer than ${String(MAX_NAME)} characters` }),
  );

/** A code of an authenticator app, or a recovery code. */
export const IsCode = () =>
  applyDecorators(
    ApiText({
      maxLength: 50,
      description: 'Of the authenticator app, or a recovery code.',
      example: '123456',
    }),
    isString,
    MaxLength(50, { message: 'is longer than any code' }),
  );
