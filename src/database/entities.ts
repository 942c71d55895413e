import { AuditEntryEntity } from '../audit/entities/audit-entry.entity.js';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { MemberEntity } from '../auth/entities/member.entity.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import { DocumentEntity } from '../documents/entities/document.entity.js';
import { DocumentVersionEntity } from '../documents/entities/document-version.entity.js';
import { SearchBitmapEntity } from '../documents/entities/search-bitmap.entity.js';
import { SearchBlockEntity } from '../documents/entities/search-block.entity.js';
import { SearchChangeEntity } from '../documents/entities/search-change.entity.js';
import { SearchCountEntity } from '../documents/entities/search-count.entity.js';
import { SearchEntryEntity } from '../documents/entities/search-entry.entity.js';
import { SearchOrderEntity } from '../documents/entities/search-order.entity.js';
import { SearchPartEntity } from '../documents/entities/search-part.entity.js';
import { SearchPostingEntity } from '../documents/entities/search-posting.entity.js';
import { SearchSliceEntity } from '../documents/entities/search-slice.entity.js';
import { SearchProgressEntity } from '../documents/entities/search-progress.entity.js';
import { UnsearchableDocumentEntity } from '../documents/entities/unsearchable-document.entity.js';
import { SearchValueEntity } from '../documents/entities/search-value.entity.js';
import { EventEntity } from '../events/entities/event.entity.js';
import { RemovedSubjectEntity } from '../events/entities/removed-subject.entity.js';
import { IdempotencyRecordEntity } from '../idempotency/entities/idempotency-record.entity.js';
import { SecretsKeyCheckEntity } from '../secrets/entities/secrets-key-check.entity.js';
import { StarterOfferEntity } from '../templates/entities/starter-offer.entity.js';
import { TemplateVersionEntity } from '../templates/entities/template-version.entity.js';
import { TemplateEntity } from '../templates/entities/template.entity.js';
import { JobEntity } from '../jobs/entities/job.entity.js';
import { StoredFileChunkEntity, StoredFileEntity } from '../jobs/entities/stored-file.entity.js';
import { WebhookDeliveryEntity } from '../webhooks/entities/webhook-delivery.entity.js';
import { RateLimitWindowEntity } from '../rate-limit/entities/rate-limit-window.entity.js';
import { DeliveryAttemptEntity } from '../webhooks/entities/delivery-attempt.entity.js';
import { WebhookEntity } from '../webhooks/entities/webhook.entity.js';
import { DatabaseClockEntity } from './database-clock.entity.js';
import { RowCountEntity } from './row-count.entity.js';

/** Every table on one screen. Migrations are checked against this list. */
export const ENTITIES = [
  AccountEntity,
  UserEntity,
  MemberEntity,
  ApiKeyEntity,
  DocumentEntity,
  DocumentVersionEntity,
  SearchChangeEntity,
  SearchBlockEntity,
  SearchEntryEntity,
  SearchPostingEntity,
  SearchBitmapEntity,
  SearchValueEntity,
  SearchCountEntity,
  SearchOrderEntity,
  SearchPartEntity,
  SearchSliceEntity,
  SearchProgressEntity,
  UnsearchableDocumentEntity,
  TemplateEntity,
  TemplateVersionEntity,
  StarterOfferEntity,
  EventEntity,
  RemovedSubjectEntity,
  WebhookEntity,
  WebhookDeliveryEntity,
  DeliveryAttemptEntity,
  AuditEntryEntity,
  IdempotencyRecordEntity,
  SecretsKeyCheckEntity,
  JobEntity,
  StoredFileEntity,
  StoredFileChunkEntity,
  RateLimitWindowEntity,
  RowCountEntity,
  DatabaseClockEntity,
];
