import { DocumentVersionEntity } from './entities/document-version.entity.js';
import { DocumentEntity } from './entities/document.entity.js';

export const DOCUMENTS_TABLES = [DocumentEntity, DocumentVersionEntity];
