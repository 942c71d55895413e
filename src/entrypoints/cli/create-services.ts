import { AccountsRepository } from '../../features/auth/accounts/accounts.repository.js';
import { MembershipsRepository } from '../../features/auth/accounts/memberships.repository.js';
import { ApiKeyEntity } from '../../features/auth/entities/api-key.entity.js';
import { MemberEntity } from '../../features/auth/entities/member.entity.js';
import { UserEntity } from '../../features/auth/entities/user.entity.js';
import { KeysRepository } from '../../features/keys/keys.repository.js';
import { KeysService } from '../../features/keys/keys.service.js';
import { AccountMembersService } from '../../features/people/members/account-members.service.js';
import { AccountService } from '../../features/people/members/account/account.service.js';
import { DeletedAccountEntity } from '../../features/people/members/entities/deleted-account.entity.js';
import { OperatorAccounts } from '../../features/people/members/operator-accounts.js';
import { OneTimeLinkEntity } from '../../features/people/sessions/entities/one-time-link.entity.js';
import { SessionEntity } from '../../features/people/sessions/entities/session.entity.js';
import {
  UserCredentialEntity,
  UserIdentityEntity,
  UserSecondFactorEntity,
} from '../../features/people/sessions/entities/user-credentials.entities.js';
import { OneTimeLinksRepository } from '../../features/people/sessions/links/one-time-links.repository.js';
import { SessionsRepository } from '../../features/people/sessions/session/sessions.repository.js';
import { SecondFactorsRepository } from '../../features/people/sessions/sign-in/second-factors.repository.js';
import { OperatorUsers } from '../../features/people/sessions/users/operator-users.js';
import { UnverifiedUsersService } from '../../features/people/sessions/users/unverified-users.service.js';
import { UsersRepository } from '../../features/people/sessions/users/users.repository.js';
import { AccountPlans } from '../../features/usage/quotas/account-plans.js';
import { ThresholdsService } from '../../features/usage/thresholds/thresholds.service.js';
import { QuotasService } from '../../features/usage/quotas/quotas.service.js';
import { QuotasRepository } from '../../features/usage/quotas/quotas.repository.js';
import { WebhookEntity } from '../../features/webhooks/entities/webhook.entity.js';
import { WebhooksRepository } from '../../features/webhooks/webhooks.repository.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import type { TransactionalDataSource } from '../../platform/database/transactional-data-source.js';
import { createLog } from '../../platform/operation/log.js';

/** Creates the services without a Nest application, which would take a second to start. */
export function createServices(dataSource: TransactionalDataSource) {
  const repositoryOf = dataSource.getRepository.bind(dataSource);
  const database = new Database(dataSource);
  const clock = new Clock();
  const accounts = AccountsRepository.withoutNest(dataSource, database, clock);
  const members = new MembershipsRepository(repositoryOf(MemberEntity));
  const links = new OneTimeLinksRepository(database, repositoryOf(OneTimeLinkEntity), clock);
  const factors = new SecondFactorsRepository(database, repositoryOf(UserSecondFactorEntity));
  const inventory = new KeysRepository(database, repositoryOf(ApiKeyEntity));
  const keys = new KeysService(
    database,
    inventory,
    new QuotasService(
      database,
      new QuotasRepository(database),
      clock,
      new ThresholdsService(database, clock),
    ),
    clock,
  );
  const sessions = new SessionsRepository(
    database,
    repositoryOf(SessionEntity),
    repositoryOf(UserEntity),
    clock,
    createLog('silent'),
  );
  const users = new UsersRepository(
    database,
    repositoryOf(UserEntity),
    repositoryOf(UserCredentialEntity),
    repositoryOf(UserIdentityEntity),
    clock,
    accounts,
    members,
    links,
  );
  const account = new AccountService(database, accounts, repositoryOf(DeletedAccountEntity), clock);
  const people = new AccountMembersService(
    database,
    accounts,
    members,
    keys,
    sessions,
    links,
    clock,
  );
  const unverified = new UnverifiedUsersService(
    database,
    users,
    members,
    factors,
    keys,
    sessions,
    links,
    clock,
  );
  return {
    accounts,
    plans: new AccountPlans(database, accounts, clock),
    keys,
    inventory,
    people: new OperatorUsers(database, accounts, users, factors, links, unverified),
    operator: new OperatorAccounts(
      database,
      accounts,
      members,
      users,
      account,
      people,
      unverified,
      clock,
    ),
    unverified,
    webhooks: new WebhooksRepository(database, repositoryOf(WebhookEntity)),
  };
}
