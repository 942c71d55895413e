import { RequestEntity, UnloggedRequestsEntity } from './entities/request.entity.js';

export const REQUEST_LOG_TABLES = [RequestEntity, UnloggedRequestsEntity];
