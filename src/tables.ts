import { AnalysisEntity } from './features/analysis/entities/analysis.entity.js';
import {
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from './features/analysis/entities/account-rules.entity.js';
import { DismissalEntity } from './features/analysis/entities/dismissal.entity.js';
import { DueEnhancementEntity } from './features/analysis/entities/due-enhancement.entity.js';
import { EnhancementEntity } from './features/analysis/entities/enhancement.entity.js';
import { TokenReservationEntity } from './features/analysis/entities/token-reservation.entity.js';
import { AuditEntryEntity } from './features/audit/entities/audit-entry.entity.js';
import { AccountEntity } from './features/access/auth/entities/account.entity.js';
import { ApiKeyEntity } from './features/access/auth/entities/api-key.entity.js';
import { MemberEntity } from './features/access/auth/entities/member.entity.js';
import { UserEntity } from './features/access/auth/entities/user.entity.js';
import {
  ReceivedDeliveryEntity,
  TestReceiverEntity,
} from './features/dashboard/receivers/entities/test-receiver.entity.js';
import { DocumentEntity } from './features/documents/entities/document.entity.js';
import { DocumentVersionEntity } from './features/documents/entities/document-version.entity.js';
import { EventHorizonEntity } from './features/events/entities/event-horizon.entity.js';
import { EventEntity } from './features/events/entities/event.entity.js';
import { RemovedSubjectEntity } from './features/events/entities/removed-subject.entity.js';
import { IdempotencyRecordEntity } from './features/idempotency/entities/idempotency-record.entity.js';
import { RequestEntity, UnloggedRequestsEntity } from './features/request-log/entities/request.entity.js';
import { DocumentLabelEntity } from './features/search/entities/document-label.entity.js';
import { DocumentTextEntity } from './features/search/entities/document-text.entity.js';
import { SearchChangeEntity } from './features/search/entities/search-change.entity.js';
import { SearchChunkEntity } from './features/search/entities/search-chunk.entity.js';
import { SecretsKeyCheckEntity } from './platform/secrets/entities/secrets-key-check.entity.js';
import { DeletedAccountEntity } from './features/people/members/entities/deleted-account.entity.js';
import { OneTimeLinkEntity } from './features/people/sessions/entities/one-time-link.entity.js';
import { SessionEntity } from './features/people/sessions/entities/session.entity.js';
import { SignInAttemptsEntity } from './features/people/sessions/entities/sign-in-attempts.entity.js';
import { UserCredentialEntity } from './features/people/sessions/entities/user-credential.entity.js';
import { UserIdentityEntity } from './features/people/sessions/entities/user-identity.entity.js';
import { UserSecondFactorEntity } from './features/people/sessions/entities/user-second-factor.entity.js';
import { StarterOfferEntity } from './features/templates/entities/starter-offer.entity.js';
import { TemplateVersionEntity } from './features/templates/entities/template-version.entity.js';
import { TemplateEntity } from './features/templates/entities/template.entity.js';
import { JobEntity } from './features/jobs/entities/job.entity.js';
import { StoredFileChunkEntity, StoredFileEntity } from './features/jobs/entities/stored-file.entity.js';
import {
  UsageHourEntity,
  UsageMinuteEntity,
  UsageWriterEntity,
} from './features/usage/entities/usage-total.entity.js';
import { WebhookClaimEntity } from './features/webhooks/entities/webhook-claim.entity.js';
import { WebhookDeliveryEntity } from './features/webhooks/entities/webhook-delivery.entity.js';
import { RateLimitWindowEntity } from './features/access/rate-limit/entities/rate-limit-window.entity.js';
import { DeliveryAttemptEntity } from './features/webhooks/entities/delivery-attempt.entity.js';
import { WebhookEntity } from './features/webhooks/entities/webhook.entity.js';
import { DatabaseClockEntity } from './platform/database/database-clock.entity.js';
import { RowCountEntity } from './platform/database/row-count.entity.js';

/** Every table on one screen. Migrations are checked against this list. */
export const ENTITIES = [
  AccountEntity,
  UserEntity,
  MemberEntity,
  ApiKeyEntity,
  UserCredentialEntity,
  UserIdentityEntity,
  UserSecondFactorEntity,
  SessionEntity,
  OneTimeLinkEntity,
  SignInAttemptsEntity,
  DocumentEntity,
  DocumentVersionEntity,
  DocumentLabelEntity,
  DocumentTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
  TemplateEntity,
  TemplateVersionEntity,
  StarterOfferEntity,
  EventEntity,
  EventHorizonEntity,
  RemovedSubjectEntity,
  WebhookEntity,
  WebhookDeliveryEntity,
  DeliveryAttemptEntity,
  WebhookClaimEntity,
  AnalysisEntity,
  EnhancementEntity,
  DismissalEntity,
  DueEnhancementEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  TokenReservationEntity,
  AuditEntryEntity,
  IdempotencyRecordEntity,
  SecretsKeyCheckEntity,
  JobEntity,
  StoredFileEntity,
  StoredFileChunkEntity,
  RateLimitWindowEntity,
  RequestEntity,
  UnloggedRequestsEntity,
  UsageMinuteEntity,
  UsageHourEntity,
  UsageWriterEntity,
  RowCountEntity,
  DatabaseClockEntity,
  TestReceiverEntity,
  ReceivedDeliveryEntity,
  DeletedAccountEntity,
];
