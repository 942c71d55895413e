import { ApiPropertyOptional } from '@nestjs/swagger';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import {
  IsFilter,
  List,
  MAX_VALUES,
  Several,
} from '../../../platform/http/envelope/filter-decorators.js';
import { KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { IsSort } from '../../../platform/http/pagination/sort.js';
import { WEBHOOK_SORTS, type WebhookSort } from '../webhooks.repository.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { STATUSES } from './webhook-fields.js';

/** The query of `GET /v1/webhooks`. */
export class ListWebhooksDto extends PageQueryDto {
  @IsSort(WEBHOOK_SORTS, {
    description: 'Field to sort by.',
    example: 'created_at',
    isDefault: 'created_at',
  })
  sort: WebhookSort = 'created_at';

  @ApiPropertyOptional({
    type: 'array',
    maxItems: STATUSES.length,
    items: { type: 'string', enum: [...STATUSES] },
    description: 'Only those of this status.',
    example: ['active'],
  })
  @List()
  @IfSent()
  @IsFilter(statusesProblem)
  status?: ('active' | 'disabled')[];

  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_VALUES,
    items: { type: 'string', maxLength: MAX_URL_LENGTH, pattern: KEPT_TEXT },
    description:
      'Only those whose URL has this text in it, in any case: a host, a path, or all of it. Several by repeating it; any of them.',
    example: ['example.com'],
  })
  @Several()
  @IfSent()
  @IsFilter(urlsProblem)
  url?: string[];
}

function statusesProblem(statuses: unknown): string | undefined {
  const known: readonly unknown[] = STATUSES;
  return (statuses as unknown[]).every((status) => known.includes(status))
    ? undefined
    : `must be ${STATUSES.join(' or ')}`;
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
