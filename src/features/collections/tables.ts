import { CollectionEntity } from './entities/collection.entity.js';

export const COLLECTIONS_TABLES = [CollectionEntity];
