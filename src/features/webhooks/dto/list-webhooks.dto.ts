import { Filter, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { WEBHOOK_SORTS, type WebhookSort } from '../webhook.js';
import { MAX_URL_LENGTH } from '../receiver-url.js';
import { STATUSES } from './webhook-fields.js';

/** The query of `GET /v1/webhooks`. */
export class ListWebhooksDto extends PageQueryDto {
  @Filter.sort(WEBHOOK_SORTS, {
    description: 'Field to sort by.',
    example: 'created_at',
    default: 'created_at',
  })
  sort: WebhookSort = 'created_at';

  @Filter.commaSeparated(STATUSES, {
    max: STATUSES.length,
    description: 'Only those of this status.',
    example: ['active'],
  })
  status?: ('active' | 'disabled')[];

  @Filter.several(textSchema(MAX_URL_LENGTH), {
    description:
      'Only those whose URL has this text in it, in any case: a host, a path, or all of it. Several by repeating it; any of them.',
    example: ['example.com'],
    check: urlsProblem,
  })
  url?: string[];
}

function urlsProblem(value: unknown): string | undefined {
  const urls = value as unknown[];
  if (urls.length > MAX_VALUES) return `must not be given more than ${String(MAX_VALUES)} times`;
  const isText = (url: unknown) =>
    typeof url === 'string' &&
    url !== '' &&
    url.length <= MAX_URL_LENGTH &&
    !url.includes('\0') &&
    url.isWellFormed();
  return urls.every(isText)
    ? undefined
    : `must be part of a URL, of 1 to ${String(MAX_URL_LENGTH)} characters`;
}
