import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { DictionaryChangeDto, DictionaryDto } from './dictionary.dto.js';
import { DictionaryService } from './dictionary.service.js';
import { DICTIONARY } from '../analysis.refusals.js';

@ApiTags('analysis')
@Controller('dictionary')
export class DictionaryController {
  constructor(private readonly dictionary: DictionaryService) {}

  @Get()
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({
    operationId: 'readDictionary',
    summary: 'Read the dictionary of the account',
    description: 'All rules ignore these words, not only the spelling check.',
  })
  @ApiOkResponse({ type: DictionaryDto, description: 'The dictionary.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<DictionaryDto> {
    return { words: await this.dictionary.list(accountId) };
  }

  @Post('add')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({ operationId: 'addWords', summary: 'Add words to the dictionary' })
  @ApiOkResponse({ type: DictionaryDto, description: 'The updated dictionary.' })
  @Refuses(DICTIONARY.add)
  async add(
    @CurrentContext() context: RequestContext,
    @Body() { words }: DictionaryChangeDto,
  ): Promise<DictionaryDto> {
    return { words: await this.dictionary.add(words, context) };
  }

  @Post('remove')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({ operationId: 'removeWords', summary: 'Remove words from the dictionary' })
  @ApiOkResponse({ type: DictionaryDto, description: 'The updated dictionary.' })
  async remove(
    @CurrentContext() context: RequestContext,
    @Body() { words }: DictionaryChangeDto,
  ): Promise<DictionaryDto> {
    return { words: await this.dictionary.remove(words, context) };
  }
}
