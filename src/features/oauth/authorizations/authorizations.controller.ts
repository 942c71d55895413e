import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AllowAnyScope, CurrentContext, CurrentPrincipal } from '../../auth/auth.decorators.js';
import type { PersonPrincipal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiKeyDto, RevokedApiKeyDto } from '../../keys/dto/api-key.dto.js';
import { presentKey, type PublicKey } from '../../keys/key.presenter.js';
import { KeysService } from '../../keys/keys.service.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { OneTimeSecret } from '../../../platform/http/envelope/api-response.js';
import { oauthIssuer } from '../../../platform/http/oauth-issuer.js';
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
import { Reach } from '../../auth/access/reach.decorators.js';

/** Lets a signed-in person connect and disconnect apps. The dashboard's consent page uses it. */
@ApiTags('apps')
@Controller('oauth/authorizations')
@Reach('account')
@AllowAnyScope()
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
    description:
      'Returns what the consent page of the dashboard shows. Changes nothing. Only for signed-in people.',
  })
  @ApiOkResponse({ type: AuthorizationRequestDto, description: 'What the app asks for.' })
  @Refuses(AUTHORIZATIONS.check)
  async check(
    @CurrentPrincipal() person: PersonPrincipal,
    @Req() request: Request,
    @Body() { query }: CheckAuthorizationDto,
  ): Promise<AuthorizationRequestDto> {
    const issuer = this.issuerFor(request);
    return presentAuthorization(
      await this.authorizations.check(query, issuer, person),
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
      'Records the consent of the signed-in person. The app exchanges the code in `redirectUri` for tokens, which appear as a key in `GET /v1/keys`. Only for signed-in people.',
  })
  @ApiOkResponse({ type: ApprovedAuthorizationDto, description: 'Where to send the browser.' })
  @Refuses(AUTHORIZATIONS.approve)
  async approve(
    @CurrentPrincipal() person: PersonPrincipal,
    @Req() request: Request,
    @Body() { query, scopes, days }: ApproveAuthorizationDto,
  ): Promise<ApprovedAuthorizationDto> {
    const issuer = this.issuerFor(request);
    const choice = { scopes, days };
    return { redirectUri: await this.authorizations.approve(query, choice, issuer, person) };
  }

  @Get()
  @ApiOperation({
    operationId: 'listAuthorizations',
    summary: 'List your connected apps',
    description:
      'Returns the keys of the apps that the signed-in person has connected in this account, newest first, with at most 20 items. `GET /v1/keys` lists those of all members. Only for signed-in people.',
  })
  @ApiOkResponse({ type: ApiKeyDto, isArray: true, description: 'The keys of the apps.' })
  @Refuses(AUTHORIZATIONS.list)
  async list(@CurrentPrincipal() person: PersonPrincipal): Promise<PublicKey[]> {
    return (await this.keys.listApps(person)).map(presentKey);
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'endAuthorization',
    summary: 'Disconnect one of your apps',
    description:
      'Revokes the key of an app that the signed-in person has connected. `DELETE /v1/keys/{id}` also disconnects the apps of other members. Only for signed-in people.',
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
