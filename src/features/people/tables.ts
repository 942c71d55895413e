import { DeletedAccountEntity } from './members/entities/deleted-account.entity.js';
import { OneTimeLinkEntity } from './sessions/entities/one-time-link.entity.js';
import { SessionEntity } from './sessions/entities/session.entity.js';
import { SignInAttemptsEntity } from './sessions/entities/sign-in-attempts.entity.js';
import {
  UserCredentialEntity,
  UserIdentityEntity,
  UserSecondFactorEntity,
} from './sessions/entities/user-credentials.entities.js';
import { UsedOidcAttemptEntity } from './sessions/entities/used-oidc-attempt.entity.js';

export const PEOPLE_TABLES = [
  UserCredentialEntity,
  UserIdentityEntity,
  UserSecondFactorEntity,
  SessionEntity,
  OneTimeLinkEntity,
  SignInAttemptsEntity,
  UsedOidcAttemptEntity,
  DeletedAccountEntity,
];
