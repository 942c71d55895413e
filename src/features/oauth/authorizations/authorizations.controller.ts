import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import { CurrentContext, CurrentPrincipal, ForPeople } from '../../auth/auth.decorators.js';
import type { PersonPrincipal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiKeyDto, RevokedApiKeyDto } from '../../keys/dto/api-key.dto.js';
import { presentKey } from '../../keys/key.presenter.js';
import { KeysService } from '../../keys/keys.service.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { ApiResponse, OneTimeSecret } from '../../../platform/http/envelope/api-response.js';
import { oauthIssuer } from '../../../platform/http/oauth-issuer.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { readItems } from '../../../platform/http/pagination/read-page.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import {
  ApproveAuthorizationDto,
  ApprovedAuthorizationDto,
  AuthorizationRequestDto,
  CheckAuthorizationDto,
} from './authorization.dto.js';
import { presentAuthorization } from './authorization.presenter.js';
import { AUTHORIZATIONS } from './authorizations.refusals.js';
import { AuthorizationsService } from './authorizations.service.js';
import { SignedInPeopleGuard } from './signed-in-people.guard.js';

/** Lets a signed-in person connect and disconnect apps. The dashboard's consent page uses it. */
@ApiTags('keys')
@Controller('oauth/authorizations')
@Reach('account')
@ForPeople()
@UseGuards(SignedInPeopleGuard)
export class AuthorizationsController {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly keys: KeysService,
    private readonly config: Config,
  ) {}

  @Post('check')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'checkAuthorization',
    summary: 'Check what an app asks for',
    description: 'Returns what the consent page of the dashboard shows. Changes nothing.',
  })
  @ApiOkResponse({ type: AuthorizationRequestDto, description: 'What the app asks for.' })
  @Refuses(AUTHORIZATIONS.check)
  async check(
    @CurrentPrincipal() person: PersonPrincipal,
    @CurrentAccess() access: Access,
    @Req() request: Request,
    @Body() { query }: CheckAuthorizationDto,
  ): Promise<AuthorizationRequestDto> {
    const issuer = this.issuerFor(request);
    return presentAuthorization(
      await this.authorizations.check(query, issuer, { person, access }),
      issuer,
      person,
    );
  }

  @Post()
  @HttpCode(200)
  @OneTimeSecret({ field: 'redirectUri', instead: 'to connect the app, start again in the app' })
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'approveAuthorization',
    summary: 'Connect an app',
    description:
      'Records the consent of the signed-in person. The app exchanges the code in `redirectUri` for tokens, which appear as a key in `GET /v1/keys`.',
  })
  @ApiOkResponse({ type: ApprovedAuthorizationDto, description: 'Where to send the browser.' })
  @Refuses(AUTHORIZATIONS.approve)
  async approve(
    @CurrentPrincipal() person: PersonPrincipal,
    @CurrentAccess() access: Access,
    @Req() request: Request,
    @Body() { query, ...choice }: ApproveAuthorizationDto,
  ): Promise<ApprovedAuthorizationDto> {
    const issuer = this.issuerFor(request);
    const decider = { person, access };
    return { redirectUri: await this.authorizations.approve(query, choice, issuer, decider) };
  }

  @Get()
  @ApiOperation({
    operationId: 'listAuthorizations',
    summary: 'List your connected apps',
    description:
      'Returns the keys of the apps that the signed-in person has connected in this account, newest first. There are at most 20. `GET /v1/keys` lists those of all members.',
  })
  @ApiOkResponse({ type: ApiKeyDto, isArray: true, description: 'One page.' })
  @Refuses(AUTHORIZATIONS.list)
  async list(
    @CurrentPrincipal() person: PersonPrincipal,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const apps = (await this.keys.listApps(person)).reverse();
    const { rows, pagination } = await readItems(person.user.id, apps, query);
    return new ApiResponse(JSON.stringify(rows.map(presentKey)), { pagination });
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'endAuthorization',
    summary: 'Disconnect one of your apps',
    description:
      'Revokes the key of an app that the signed-in person has connected. `DELETE /v1/keys/{id}` also disconnects the apps of other members.',
  })
  @ApiOkResponse({ type: RevokedApiKeyDto, description: 'The app is disconnected.' })
  @Refuses(AUTHORIZATIONS.end)
  async end(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<RevokedApiKeyDto> {
    await this.keys.endOwnApp(id, context);
    return { id, deleted: true };
  }

  private issuerFor(request: Request): string {
    const issuer = oauthIssuer(request, this.config);
    if (issuer === undefined) throw notFound('resource');
    return issuer;
  }
}
