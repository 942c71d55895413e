import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  CurrentContext,
  CurrentPrincipal,
  RequireScope,
} from '../../access/auth/authentication.js';
import type { Principal } from '../../access/auth/principal.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { CheckedBy, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { DictionaryService, MAX_WORDS } from './dictionary.service.js';
import { DICTIONARY } from '../analysis.refusals.js';

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

class DictionaryChangeDto {
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

class DictionaryDto {
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

@ApiTags('analysis')
@Controller('dictionary')
export class DictionaryController {
  constructor(private readonly dictionary: DictionaryService) {}

  @Get()
  @RequireScope('documents:analyze')
  @ApiOperation({
    operationId: 'readDictionary',
    summary: 'Read the dictionary of the account',
    description: 'No rule finds anything in these words, not only that of spelling.',
  })
  @ApiOkResponse({ type: DictionaryDto, description: 'The dictionary.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<DictionaryDto> {
    return { words: await this.dictionary.list(accountId) };
  }

  @Post('add')
  @HttpCode(200)
  @RequireScope('documents:write')
  @ApiOperation({ operationId: 'addWords', summary: 'Add words to the dictionary' })
  @ApiOkResponse({ type: DictionaryDto, description: 'The dictionary with them.' })
  @Refuses(DICTIONARY.add)
  async add(
    @CurrentContext() context: RequestContext,
    @Body() { words: added }: DictionaryChangeDto,
  ): Promise<DictionaryDto> {
    return {
      words: await this.dictionary.add(
        added.map((word) => word.trim()),
        context,
      ),
    };
  }

  @Post('remove')
  @HttpCode(200)
  @RequireScope('documents:write')
  @ApiOperation({ operationId: 'removeWords', summary: 'Take words out of the dictionary' })
  @ApiOkResponse({ type: DictionaryDto, description: 'The dictionary without them.' })
  async remove(
    @CurrentContext() context: RequestContext,
    @Body() { words: removed }: DictionaryChangeDto,
  ): Promise<DictionaryDto> {
    return {
      words: await this.dictionary.remove(
        removed.map((word) => word.trim()),
        context,
      ),
    };
  }
}
