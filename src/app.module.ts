import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AnalysisModule } from './features/analysis/analysis.module.js';
import { AuditModule } from './features/audit/audit.module.js';
import { AuthModule } from './features/auth/auth.module.js';
import { AuthenticationGuard } from './features/auth/guards/authentication.guard.js';
import { KeysModule } from './features/keys/keys.module.js';
import { ArchiveModule } from './features/archive/archive.module.js';
import { ReachGuard } from './features/auth/guards/reach.guard.js';
import { ScopeGuard } from './features/auth/guards/scope.guard.js';
import { DashboardModule } from './features/dashboard/dashboard.module.js';
import { CollectionsModule } from './features/collections/collections.module.js';
import { DocumentsModule } from './features/documents/documents.module.js';
import { ReplayedDocuments } from './features/documents/replayed-documents.js';
import { PresenceModule } from './features/documents/presence/presence.module.js';
import { EventsModule } from './features/events/events.module.js';
import { IdempotencyModule } from './features/idempotency/idempotency.module.js';
import { JobKindsModule } from './job-kinds.module.js';
import { JobsModule } from './features/jobs/jobs.module.js';
import { McpModule } from './features/mcp/mcp.module.js';
import { MembersModule } from './features/people/members/members.module.js';
import { ApiReferenceModule } from './entrypoints/api-document/serve/api-reference.module.js';
import { OAuthModule } from './features/oauth/oauth.module.js';
import { PlanRateLimitGuard } from './features/rate-limit/plan-rate-limit.guard.js';
import { RateLimitModule } from './features/rate-limit/rate-limit.module.js';
import { SessionsModule } from './features/people/sessions/sessions.module.js';
import { ReleasesModule } from './features/releases/releases.module.js';
import { RequestsModule } from './features/request-log/requests.module.js';
import { TemplatesModule } from './features/templates/templates.module.js';
import { UsageModule } from './features/usage/usage.module.js';
import { WebhooksModule } from './features/webhooks/webhooks.module.js';

/** The API role. The guards run in this order before any body is read. */
@Module({
  imports: [
    AuthModule,
    RateLimitModule,
    IdempotencyModule.forRoot([DocumentsModule], ReplayedDocuments),
    KeysModule,
    CollectionsModule,
    DocumentsModule,
    PresenceModule,
    ReleasesModule,
    TemplatesModule,
    EventsModule,
    WebhooksModule,
    AuditModule,
    UsageModule,
    RequestsModule,
    JobsModule,
    ArchiveModule,
    AnalysisModule,
    SessionsModule,
    MembersModule,
    DashboardModule,
    McpModule,
    OAuthModule,
    JobKindsModule,
    ApiReferenceModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: PlanRateLimitGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: ReachGuard },
  ],
})
export class AppModule {}
