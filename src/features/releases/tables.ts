import { ReleaseEntity, ReleaseItemEntity } from './entities/releases.entities.js';

export const RELEASES_TABLES = [ReleaseEntity, ReleaseItemEntity];
