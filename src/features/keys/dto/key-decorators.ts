import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { parseTimestamp } from '../../../platform/basics/clock/moment.js';
import { CheckedBy } from '../../../platform/http/envelope/field-decorators.js';
import { MAX_RANGES, MAX_SCOPES, rangeProblems, scopeProblems } from '../key-fields.js';

export const MAX_NAME_CHARACTERS = 100;

const isTimestamp = {
  name: 'isTimestamp',
  validator: {
    validate: (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== undefined,
  },
};

// What is checked first stands first: applyDecorators applies them in this order.

export const IsKeyName = () =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    Matches(/\S/, { message: 'must not be empty or only white space' }),
    MaxLength(MAX_NAME_CHARACTERS, {
      message: `must not be longer than ${String(MAX_NAME_CHARACTERS)} characters`,
    }),
  );

/** One scope or more, each of them known. */
export const AreScopes = () =>
  applyDecorators(
    CheckedBy(scopeProblems),
    IsArray({ message: 'must be an array of scopes, such as ["documents:read"]' }),
    ArrayNotEmpty({ message: 'must name at least one scope' }),
    ArrayMaxSize(MAX_SCOPES, { message: `must not have more than ${String(MAX_SCOPES)} items` }),
  );

export const IsKeyEnd = () =>
  ValidateBy(isTimestamp, {
    message: 'must be a time with its zone, such as 2027-01-31T00:00:00Z',
  });

/** Addresses and CIDR ranges; none is all addresses. */
export const AreRanges = () =>
  applyDecorators(
    CheckedBy(rangeProblems),
    IsArray({ message: 'must be an array of addresses and CIDR ranges, such as ["192.0.2.0/24"]' }),
    ArrayMaxSize(MAX_RANGES, { message: `must not have more than ${String(MAX_RANGES)} items` }),
  );
