import { AUTH_TABLES } from './features/auth/tables.js';
import { ANALYSIS_TABLES } from './features/analysis/tables.js';
import { AUDIT_TABLES } from './features/audit/tables.js';
import { COLLECTIONS_TABLES } from './features/collections/tables.js';
import { DASHBOARD_TABLES } from './features/dashboard/tables.js';
import { DOCUMENTS_TABLES } from './features/documents/tables.js';
import { EVENTS_TABLES } from './features/events/tables.js';
import { IDEMPOTENCY_TABLES } from './features/idempotency/tables.js';
import { JOBS_TABLES } from './features/jobs/tables.js';
import { OAUTH_TABLES } from './features/oauth/tables.js';
import { PEOPLE_TABLES } from './features/people/tables.js';
import { RATE_LIMIT_TABLES } from './features/rate-limit/tables.js';
import { RELEASES_TABLES } from './features/releases/tables.js';
import { REQUEST_LOG_TABLES } from './features/request-log/tables.js';
import { SEARCH_TABLES } from './features/search/tables.js';
import { TEMPLATES_TABLES } from './features/templates/tables.js';
import { USAGE_TABLES } from './features/usage/tables.js';
import { WEBHOOKS_TABLES } from './features/webhooks/tables.js';
import { DATABASE_TABLES } from './platform/database/tables.js';
import { SECRETS_TABLES } from './platform/secrets/tables.js';
import { FirstSchema1770000000000 } from './migrations/1770000000000-first-schema.js';
import { EventHorizons1795510000000 } from './migrations/1795510000000-event-horizons.js';
import { LongJobs1795520000000 } from './migrations/1795520000000-long-jobs.js';
import { VerifiedAddresses1795530000000 } from './migrations/1795530000000-verified-addresses.js';
import { CountersWithoutWaits1795550000000 } from './migrations/1795550000000-counters-without-waits.js';
import { WebhookClaims1795550000001 } from './migrations/1795550000001-webhook-claims.js';
import { Presence1795560000000 } from './migrations/1795560000000-presence.js';
import { AnnounceAfterCommit1795570000000 } from './migrations/1795570000000-announce-after-commit.js';
import {
  CheckedBounds1795580000001,
  PartitionBounds1795580000000,
  Partitions1795580000002,
} from './migrations/1795580000000-partitions.js';
import { CheckCharacters1795600000000 } from './migrations/1795600000000-check-characters.js';
import { DisabledRules1795610000000 } from './migrations/1795610000000-disabled-rules.js';
import { FormerAddresses1795620000030 } from './migrations/1795620000030-former-addresses.js';
import { CountedUploads1795620000031 } from './migrations/1795620000031-counted-uploads.js';
import { CountedImports1795620000032 } from './migrations/1795620000032-counted-imports.js';
import { Proposals1795630000000 } from './migrations/1795630000000-proposals.js';
import { AccessTokens1795631000000 } from './migrations/1795631000000-access-tokens.js';
import { ServiceAccounts1795632000000 } from './migrations/1795632000000-service-accounts.js';
import { KeyLimits1795633000000 } from './migrations/1795633000000-key-limits.js';
import { TokenLabels1795636000000 } from './migrations/1795636000000-token-labels.js';
import {
  Collections1795640000000,
  DocumentCollections1795640000001,
} from './migrations/1795640000000-collections.js';
import { LimitedApps1795640000002 } from './migrations/1795640000002-limited-apps.js';
import {
  PublishedVersions1795650000001,
  PublishingSettings1795650000000,
} from './migrations/1795650000000-publishing.js';
import { Releases1795660000000 } from './migrations/1795660000000-releases.js';
import { PublicationRules1795670000000 } from './migrations/1795670000000-publication-rules.js';
import type { Schema } from './platform/database/pools.js';

/** All tables of the service and the migrations that create them, oldest first. `npm run check:migrations` compares both. */
export const SCHEMA: Schema = {
  entities: [
    ...AUTH_TABLES,
    ...RATE_LIMIT_TABLES,
    ...ANALYSIS_TABLES,
    ...AUDIT_TABLES,
    ...COLLECTIONS_TABLES,
    ...DASHBOARD_TABLES,
    ...DOCUMENTS_TABLES,
    ...EVENTS_TABLES,
    ...IDEMPOTENCY_TABLES,
    ...JOBS_TABLES,
    ...OAUTH_TABLES,
    ...PEOPLE_TABLES,
    ...RELEASES_TABLES,
    ...REQUEST_LOG_TABLES,
    ...SEARCH_TABLES,
    ...TEMPLATES_TABLES,
    ...USAGE_TABLES,
    ...WEBHOOKS_TABLES,
    ...DATABASE_TABLES,
    ...SECRETS_TABLES,
  ],
  migrations: [
    FirstSchema1770000000000,
    EventHorizons1795510000000,
    LongJobs1795520000000,
    VerifiedAddresses1795530000000,
    CountersWithoutWaits1795550000000,
    WebhookClaims1795550000001,
    Presence1795560000000,
    AnnounceAfterCommit1795570000000,
    PartitionBounds1795580000000,
    CheckedBounds1795580000001,
    Partitions1795580000002,
    CheckCharacters1795600000000,
    DisabledRules1795610000000,
    FormerAddresses1795620000030,
    CountedUploads1795620000031,
    CountedImports1795620000032,
    Proposals1795630000000,
    AccessTokens1795631000000,
    ServiceAccounts1795632000000,
    KeyLimits1795633000000,
    TokenLabels1795636000000,
    Collections1795640000000,
    DocumentCollections1795640000001,
    LimitedApps1795640000002,
    PublishingSettings1795650000000,
    PublishedVersions1795650000001,
    Releases1795660000000,
    PublicationRules1795670000000,
  ],
};
