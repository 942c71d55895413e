import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';

export const OAUTH_TABLES = [AuthorizationCodeEntity];
