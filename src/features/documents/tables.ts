import { DocumentVersionEntity } from './model/document-version.entity.js';
import { DocumentEntity } from './model/document.entity.js';
import { PresenceEntity } from './presence/presence.entity.js';

export const DOCUMENTS_TABLES = [DocumentEntity, DocumentVersionEntity, PresenceEntity];
