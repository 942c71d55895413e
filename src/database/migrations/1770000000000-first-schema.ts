import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ANALYSIS } from '../schema/analysis.js';
import { AUDIT } from '../schema/audit.js';
import { DASHBOARD } from '../schema/dashboard.js';
import { DELIVERIES } from '../schema/deliveries.js';
import { DOCUMENTS } from '../schema/documents.js';
import { EVENTS } from '../schema/events.js';
import { FOUNDATION } from '../schema/foundation.js';
import { IDENTITY } from '../schema/identity.js';
import { JOBS } from '../schema/jobs.js';
import { RATE_LIMITS } from '../schema/rate-limits.js';
import type { SchemaArea } from '../schema/schema-area.js';
import { SEARCH } from '../schema/search.js';
import { SERVICE_STATE } from '../schema/service-state.js';
import { SESSIONS } from '../schema/sessions.js';
import { TELEMETRY } from '../schema/telemetry.js';
import { TEMPLATES } from '../schema/templates.js';
import { USAGE } from '../schema/usage.js';
import { WEBHOOKS } from '../schema/webhooks.js';

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
