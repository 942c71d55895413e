import type { Database, Statement } from '../../../platform/database/database.js';
import type { UserKind } from '../../auth/person.js';
import type { Role } from '../../auth/roles.js';
import type { ListMembersDto } from './dto/named-member.dto.js';

/** A member of an account as shown to other members. The id is a UUID. */
export interface Member {
  userId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role: Role;
  joinedAt: Date;
  /** When any of the user's sessions was last used; `null` without sessions. */
  lastSeenAt: Date | null;
  twoFactor: boolean;
}

const LIST: Statement = {
  name: 'members.list',
  text: `SELECT person.id AS "userId", person.name, person.email,
                person.email_verified_at IS NOT NULL AS "emailVerified", member.role, member.created_at AS "joinedAt",
                (SELECT max(seen_at) FROM sessions WHERE user_id = person.id) AS "lastSeenAt",
                EXISTS (SELECT FROM user_second_factors
                         WHERE user_id = person.id AND confirmed_at IS NOT NULL) AS "twoFactor"
           FROM members AS member JOIN users AS person ON person.id = member.user_id
          WHERE member.account_id = $1 AND person.kind = 'person'
          ORDER BY array_position(ARRAY['owner', 'admin', 'member', 'viewer'], member.role), person.name, person.id`,
};

/** Lists the people who are members of an account, highest role first. */
export function listMembers(database: Database, accountId: string): Promise<Member[]> {
  return database.run<Member>(LIST, [accountId]);
}

/** The name of a person or service account. The id is a UUID. */
interface NamedMember extends Pick<Member, 'userId' | 'name' | 'role'> {
  kind: UserKind;
}

/** `strpos` finds an empty text in every name. */
const listNames = (name: string, order: string): Statement => ({
  name,
  text: `SELECT person.id AS "userId", person.name, person.kind, member.role
           FROM members AS member JOIN users AS person ON person.id = member.user_id
          WHERE member.account_id = $1 AND strpos(lower(person.name), lower($2)) > 0
          ORDER BY ${order}, person.id`,
});

const BY_NAME = listNames('members.list-names', 'person.name');
const BY_JOINING = listNames('members.list-names-by-joining', 'member.created_at');

/** Lists the members whose name contains a text, service accounts included. */
export function listMemberNames(
  database: Database,
  accountId: string,
  { q = '', sort }: Pick<ListMembersDto, 'q' | 'sort'>,
): Promise<NamedMember[]> {
  const statement = sort === 'name' ? BY_NAME : BY_JOINING;
  return database.read<NamedMember>(statement, [accountId, q], accountId);
}

const WAKE_WORKERS: Statement = {
  name: 'accounts.wake-workers',
  text: `SELECT pg_notify('webhook_deliveries', ''), pg_notify('jobs', '')`,
};

/** Notifies workers at commit that deferred work of an account is due. */
export async function wakeWorkers(database: Database): Promise<void> {
  await database.run(WAKE_WORKERS, []);
}
