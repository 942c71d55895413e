import { ApiKeyEntity } from '../../access/auth/entities/api-key.entity.js';
import { MemberEntity } from '../../access/auth/entities/member.entity.js';
import { UserEntity } from '../../access/auth/entities/user.entity.js';
import type { Person } from '../../access/auth/person.js';
import type { Database } from '../../../platform/database/database.js';

const MAX_COUNTED = 10_000;

/** Finds who in the account a person of an archive is: by id or else by e-mail address; the importer for anybody else. */
export class UserMapping {
  /** People of the archive who are nobody here, each counted once. */
  private readonly unmapped = new Set<string>();

  private constructor(
    private readonly ids: ReadonlySet<string>,
    private readonly byEmail: ReadonlyMap<string, string>,
    private readonly importer: string,
  ) {}

  /** `importer` is the UUID of a user. */
  static async of(database: Database, accountId: string, importer: string): Promise<UserMapping> {
    const users = await database
      .repository(UserEntity)
      .createQueryBuilder('user')
      .where((query) => {
        const idsIn = (entity: typeof MemberEntity | typeof ApiKeyEntity) =>
          query
            .subQuery()
            .select('item.userId')
            .from(entity, 'item')
            .where('item.accountId = :accountId')
            .getQuery();
        return `user.id IN ${idsIn(MemberEntity)} OR user.id IN ${idsIn(ApiKeyEntity)}`;
      })
      .setParameters({ accountId })
      .getMany();
    const byEmail = new Map(users.map(({ id, email }) => [email.toLowerCase(), id]));
    return new UserMapping(new Set(users.map(({ id }) => id)), byEmail, importer);
  }

  /** The UUID of the user. */
  readonly userOf = ({ id, email }: Person): string => {
    if (this.ids.has(id)) return id;
    const known = this.byEmail.get(email.toLowerCase());
    if (known === undefined && this.unmapped.size < MAX_COUNTED) this.unmapped.add(id);
    return known ?? this.importer;
  };

  /** How many people of the archive the importer stands for. */
  get replaced(): number {
    return this.unmapped.size;
  }
}
