import { PageQueryDto } from '../../pagination/page-query.dto.js';
import { IsSort } from '../../pagination/sort.js';
import { WEBHOOK_SORTS, type WebhookSort } from '../webhook.js';

/** The query of `GET /v1/webhooks`. */
export class ListWebhooksDto extends PageQueryDto {
  @IsSort(WEBHOOK_SORTS, {
    description: 'Field to sort by.',
    example: 'created_at',
    isDefault: 'created_at',
  })
  sort: WebhookSort = 'created_at';
}
