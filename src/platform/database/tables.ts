import { DatabaseClockEntity } from './database-clock.entity.js';
import { RowCountEntity } from './row-count.entity.js';

export const DATABASE_TABLES = [RowCountEntity, DatabaseClockEntity];
