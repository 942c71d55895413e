import { Body, Controller, Header, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCause, RequireScope } from '../auth/authentication.js';
import type { Cause } from '../auth/cause.js';
import { Answer } from '../envelope/answer.js';
import { ShownOnce } from '../envelope/shown-once.js';
import { invalidFields, type FieldProblem } from '../errors/app-error.js';
import { eventProblems } from '../events/event-selection.js';
import { Refuses } from '../openapi/route-decorators.js';
import { PatchWebhookDto } from './dto/patch-webhook.dto.js';
import { RotateSecretDto, RotatedSecretDto } from './dto/rotate-secret.dto.js';
import { WebhookDto } from './dto/webhook.dto.js';
import { SecretRotation } from './secret-rotation.service.js';
import { SECRET_SHOWN_ONCE } from './webhook-secret.js';
import { WebhookChanges } from './webhook-changes.service.js';
import { presentRotatedSecret, presentWebhook } from './webhook.presenter.js';

@ApiTags('webhooks')
@Controller('webhooks')
export class WebhookChangesController {
  constructor(
    private readonly changes: WebhookChanges,
    private readonly rotation: SecretRotation,
  ) {}

  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'patchWebhook',
    summary: 'Change a webhook',
    description:
      'A JSON Merge Patch (RFC 7396): what is not named stays; when nothing changes, nothing is written. Disabling stops sending within a second, cancels what is owed, and emits `webhook.disabled`; what was cancelled is taken up again by `recover`.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchWebhookDto })
  @ApiOkResponse({ type: WebhookDto, description: 'The webhook.' })
  @Refuses('Unknown event', invalidFields(eventProblems(['document.create']) as [FieldProblem]))
  async patch(
    @CurrentCause() cause: Cause,
    @Param('id') id: string,
    @Body() body: PatchWebhookDto,
  ) {
    return presentWebhook(await this.changes.change(id, body, cause));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RequireScope('webhooks:write')
  @ShownOnce(SECRET_SHOWN_ONCE)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'For 24 hours each delivery is signed with the new secret and with the one before; then with the new one only. At most two secrets sign: a second rotation within that time ends the older one. The present secret once more changes nothing.',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @ApiOkResponse({
    type: RotatedSecretDto,
    description: 'The webhook, with a secret that the service made, this once.',
  })
  async rotate(
    @CurrentCause() cause: Cause,
    @Param('id') id: string,
    @Body() { secret }: RotateSecretDto,
  ): Promise<Answer> {
    const rotation = await this.rotation.rotate(id, secret, cause);
    const { warnings } = rotation;
    return new Answer(JSON.stringify(presentRotatedSecret(rotation)), { warnings });
  }
}
