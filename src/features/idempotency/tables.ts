import { IdempotencyRecordEntity } from './entities/idempotency-record.entity.js';

export const IDEMPOTENCY_TABLES = [IdempotencyRecordEntity];
