import { AuditEntryEntity } from './entities/audit-entry.entity.js';

export const AUDIT_TABLES = [AuditEntryEntity];
