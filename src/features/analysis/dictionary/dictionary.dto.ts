import { ApiProperty } from '@nestjs/swagger';
import { CheckedBy, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { MAX_WORDS } from './dictionary.service.js';

const MAX_WORD_CHARACTERS = 100;
const MAX_AT_ONCE = 1_000;

const words = (maxItems: number) => ({
  type: 'array' as const,
  maxItems,
  items: {
    type: 'string' as const,
    minLength: 1,
    maxLength: MAX_WORD_CHARACTERS,
    pattern: KEPT_TEXT,
  },
  example: ['Kubernetes', 'upsert', 'Acme Cloud'],
});

export class DictionaryChangeDto {
  @ApiProperty({
    ...words(MAX_AT_ONCE),
    minItems: 1,
    description:
      'Words, names and terms. A word in small letters stands for every spelling of its case, another one for its own only.',
  })
  @CheckedBy(wordProblems)
  @IsRequired()
  words: string[];
}

export class DictionaryDto {
  @ApiProperty({ ...words(MAX_WORDS), description: 'All words of the account.' })
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
            issue: `must be a text of 1 to ${String(MAX_WORD_CHARACTERS)} characters, not only white space`,
          },
        ],
  );
}
