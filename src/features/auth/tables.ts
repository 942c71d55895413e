import { AccessTokenEntity } from './entities/access-token.entity.js';
import { AccountEntity } from './entities/account.entity.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { MemberEntity } from './entities/member.entity.js';
import { UserEntity } from './entities/user.entity.js';

export const AUTH_TABLES = [
  AccountEntity,
  UserEntity,
  MemberEntity,
  ApiKeyEntity,
  AccessTokenEntity,
];
