import { DocumentVersionEntity } from './model/document-version.entity.js';
import { DocumentEntity } from './model/document.entity.js';
import { PresenceEntity } from './presence/presence.entity.js';
import {
  PublicationEntity,
  PublicationHistoryEntity,
} from './publishing/entities/publications.entities.js';
import { PublishingSettingsEntity } from './publishing/entities/publishing-settings.entity.js';

export const DOCUMENTS_TABLES = [
  DocumentEntity,
  DocumentVersionEntity,
  PresenceEntity,
  PublicationEntity,
  PublicationHistoryEntity,
  PublishingSettingsEntity,
];
