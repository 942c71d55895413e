import { Body, Controller, Header, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiResponse, OneTimeSecret } from '../../../platform/http/envelope/api-response.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { BrowserTokenDto, CreateTokenDto, CREATE_TOKEN_EXAMPLES } from './browser-token.dto.js';
import { presentBrowserToken } from './browser-token.presenter.js';
import { BROWSER_TOKENS } from './browser-tokens.refusals.js';
import { BrowserTokensService } from './browser-tokens.service.js';

@ApiTags('tokens')
@Controller('tokens')
export class BrowserTokensController {
  constructor(private readonly tokens: BrowserTokensService) {}

  @Post()
  @RequireScope('tokens:write')
  @Reach('none')
  @OneTimeSecret({
    field: 'token',
    instead: 'to get a token, send the request with a new Idempotency-Key',
  })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create a browser token',
    description:
      'A short-lived token that a web page sends instead of a key. It can use some documents only, on the operations that list `browserToken`; every other operation responds with 403, and every other document with 404. It works from any address and any origin, ends with the calling key, and its requests count for the token, the key and the account.',
  })
  @ApiBody({ type: CreateTokenDto, examples: CREATE_TOKEN_EXAMPLES })
  @ApiCreatedResponse({
    type: BrowserTokenDto,
    description: 'The new token. It is shown only once.',
  })
  @Refuses(BROWSER_TOKENS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateTokenDto,
  ): Promise<ApiResponse> {
    const issued = await this.tokens.create(body, context);
    return new ApiResponse(JSON.stringify(presentBrowserToken(issued)));
  }
}
