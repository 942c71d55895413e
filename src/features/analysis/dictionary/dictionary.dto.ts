import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { Field } from '../../../platform/openapi/field.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { MAX_WORDS } from './dictionary.service.js';

const MAX_WORD_CHARACTERS = 100;
const MAX_AT_ONCE = 1_000;

const WORD = { ...textSchema(MAX_WORD_CHARACTERS), minLength: 1 };
const example = ['Kubernetes', 'upsert', 'Acme Cloud'];

export class DictionaryChangeDto {
  @Field.list(WORD, {
    min: 1,
    max: MAX_AT_ONCE,
    description:
      'Words, names and terms. A lowercase word matches any case; other words match exactly.',
    example,
    check: wordProblems,
  })
  words: string[];
}

export class DictionaryDto {
  @Field.list(WORD, { max: MAX_WORDS, description: 'All words of the account.', example })
  words: string[];
}

function wordProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_AT_ONCE) {
    return [{ field: 'words', issue: `must be an array of 1 to ${String(MAX_AT_ONCE)} words` }];
  }
  return value.flatMap((word: unknown, index) =>
    typeof word === 'string' && word.trim() !== '' && word.length <= MAX_WORD_CHARACTERS
      ? []
      : [
          {
            field: `words[${String(index)}]`,
            issue: `must be a string of 1 to ${String(MAX_WORD_CHARACTERS)} characters, and not blank`,
          },
        ],
  );
}
