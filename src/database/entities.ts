import { AnalysisEntity } from '../analysis/entities/analysis.entity.js';
import {
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from '../analysis/entities/account-rules.entity.js';
import { DismissalEntity } from '../analysis/entities/dismissal.entity.js';
import { DueEnhancementEntity } from '../analysis/entities/due-enhancement.entity.js';
import { EnhancementEntity } from '../analysis/entities/enhancement.entity.js';
import { TokenReservationEntity } from '../analysis/entities/token-reservation.entity.js';
import { AuditEntryEntity } from '../audit/entities/audit-entry.entity.js';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { MemberEntity } from '../auth/entities/member.entity.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import {
  ReceivedDeliveryEntity,
  TestReceiverEntity,
} from '../dashboard/receivers/entities/test-receiver.entity.js';
import { DocumentEntity } from '../documents/entities/document.entity.js';
import { DocumentVersionEntity } from '../documents/entities/document-version.entity.js';
import { EventHorizonEntity } from '../events/entities/event-horizon.entity.js';
import { EventEntity } from '../events/entities/event.entity.js';
import { RemovedSubjectEntity } from '../events/entities/removed-subject.entity.js';
import { IdempotencyRecordEntity } from '../idempotency/entities/idempotency-record.entity.js';
import { RequestEntity, UnloggedRequestsEntity } from '../requests/entities/request.entity.js';
import { DocumentLabelEntity } from '../search/entities/document-label.entity.js';
import { DocumentTextEntity } from '../search/entities/document-text.entity.js';
import { SearchChangeEntity } from '../search/entities/search-change.entity.js';
import { SearchChunkEntity } from '../search/entities/search-chunk.entity.js';
import { SecretsKeyCheckEntity } from '../secrets/entities/secrets-key-check.entity.js';
import { DeletedAccountEntity } from '../members/entities/deleted-account.entity.js';
import { OneTimeLinkEntity } from '../sessions/entities/one-time-link.entity.js';
import { SessionEntity } from '../sessions/entities/session.entity.js';
import { SignInAttemptsEntity } from '../sessions/entities/sign-in-attempts.entity.js';
import { UserCredentialEntity } from '../sessions/entities/user-credential.entity.js';
import { UserIdentityEntity } from '../sessions/entities/user-identity.entity.js';
import { UserSecondFactorEntity } from '../sessions/entities/user-second-factor.entity.js';
import { StarterOfferEntity } from '../templates/entities/starter-offer.entity.js';
import { TemplateVersionEntity } from '../templates/entities/template-version.entity.js';
import { TemplateEntity } from '../templates/entities/template.entity.js';
import { JobEntity } from '../jobs/entities/job.entity.js';
import { StoredFileChunkEntity, StoredFileEntity } from '../jobs/entities/stored-file.entity.js';
import {
  UsageHourEntity,
  UsageMinuteEntity,
  UsageWriterEntity,
} from '../usage/entities/usage-total.entity.js';
import { WebhookClaimEntity } from '../webhooks/entities/webhook-claim.entity.js';
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
