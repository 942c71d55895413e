import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { WEBHOOK_SORTS, type WebhookSort } from '../webhook.js';

/** The query of `GET /v1/webhooks`. */
export class ListWebhooksDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: WEBHOOK_SORTS,
    default: 'created_at',
    description: 'Field to sort by.',
    example: 'created_at',
  })
  @IsIn(WEBHOOK_SORTS, { message: `must be one of ${WEBHOOK_SORTS.join(', ')}` })
  sort: WebhookSort = 'created_at';
}
