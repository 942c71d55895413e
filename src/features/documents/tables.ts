import { DocumentVersionEntity } from './model/document-version.entity.js';
import { DocumentEntity } from './model/document.entity.js';

export const DOCUMENTS_TABLES = [DocumentEntity, DocumentVersionEntity];
