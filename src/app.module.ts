import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AnalysisModule } from './analysis/analysis.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { AuthenticationGuard } from './auth/authentication.guard.js';
import { KeysModule } from './keys/keys.module.js';
import { ArchiveModule } from './archive/archive.module.js';
import { ScopeGuard } from './auth/scope.guard.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { EventsModule } from './events/events.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { JobKindsModule } from './job-kinds.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MembersModule } from './members/members.module.js';
import { ApiReferenceModule } from './openapi/api-reference.module.js';
import { PlanRateLimitGuard } from './rate-limit/plan-rate-limit.guard.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { RequestsModule } from './requests/requests.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The product: what the API role serves. The guards run in this order, before any body is read. */
@Module({
  imports: [
    AuthModule,
    RateLimitModule,
    IdempotencyModule,
    KeysModule,
    DocumentsModule,
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
    JobKindsModule,
    ApiReferenceModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: PlanRateLimitGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
  ],
})
export class AppModule {}
