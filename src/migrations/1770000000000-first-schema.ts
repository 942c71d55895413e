import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ANALYSIS } from './first-schema/analysis.js';
import { AUDIT } from './first-schema/audit.js';
import { DASHBOARD } from './first-schema/dashboard.js';
import { DELIVERIES } from './first-schema/deliveries.js';
import { DOCUMENTS } from './first-schema/documents.js';
import { EVENTS } from './first-schema/events.js';
import { FOUNDATION } from './first-schema/foundation.js';
import { IDENTITY } from './first-schema/identity.js';
import { JOBS } from './first-schema/jobs.js';
import { RATE_LIMITS } from './first-schema/rate-limits.js';
import type { SchemaArea } from './first-schema/schema-area.js';
import { SEARCH } from './first-schema/search.js';
import { SERVICE_STATE } from './first-schema/service-state.js';
import { SESSIONS } from './first-schema/sessions.js';
import { TELEMETRY } from './first-schema/telemetry.js';
import { TEMPLATES } from './first-schema/templates.js';
import { USAGE } from './first-schema/usage.js';
import { WEBHOOKS } from './first-schema/webhooks.js';

/** Each builds on those before it. */
const AREAS: readonly SchemaArea[] = [
  FOUNDATION,
  IDENTITY,
  SESSIONS,
  DOCUMENTS,
  SEARCH,
  TEMPLATES,
  EVENTS,
  WEBHOOKS,
  DELIVERIES,
  JOBS,
  ANALYSIS,
  AUDIT,
  USAGE,
  RATE_LIMITS,
  TELEMETRY,
  SERVICE_STATE,
  DASHBOARD,
];

/** The whole schema, in an empty database. */
export class FirstSchema1770000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { up } of AREAS) await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { down } of AREAS.toReversed()) await runner.query(down);
  }
}
