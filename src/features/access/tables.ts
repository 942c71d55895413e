import { AccountEntity } from './auth/entities/account.entity.js';
import { ApiKeyEntity } from './auth/entities/api-key.entity.js';
import { MemberEntity } from './auth/entities/member.entity.js';
import { UserEntity } from './auth/entities/user.entity.js';
import { RateLimitWindowEntity } from './rate-limit/entities/rate-limit-window.entity.js';

export const ACCESS_TABLES = [
  AccountEntity,
  UserEntity,
  MemberEntity,
  ApiKeyEntity,
  RateLimitWindowEntity,
];
