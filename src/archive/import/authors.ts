import type { Person } from '../../auth/person.js';
import type { Executor, Statement } from '../../database/database.js';

const USERS: Statement = {
  name: 'archive.users',
  text: `SELECT id, lower(email) AS email FROM users
          WHERE id IN (SELECT user_id FROM members WHERE account_id = $1
                       UNION SELECT user_id FROM api_keys WHERE account_id = $1)`,
};

/** Who in the account the people of an archive are: by id or else by e-mail address, or the one who imports. */
export class Authors {
  /** People who are nobody here, each counted once. */
  private readonly strangers = new Set<string>();

  private constructor(
    private readonly ids: ReadonlySet<string>,
    private readonly byEmail: ReadonlyMap<string, string>,
    private readonly importer: string,
  ) {}

  /** `importer` is the UUID of a user. */
  static async of(executor: Executor, accountId: string, importer: string): Promise<Authors> {
    const users = await executor.run<{ id: string; email: string }>(USERS, [accountId]);
    const byEmail = new Map(users.map(({ id, email }) => [email, id]));
    return new Authors(new Set(users.map(({ id }) => id)), byEmail, importer);
  }

  /** The UUID of the user. */
  readonly userOf = ({ id, email }: Person): string => {
    if (this.ids.has(id)) return id;
    const known = this.byEmail.get(email.toLowerCase());
    if (known === undefined && this.strangers.size < MAX_STRANGERS) this.strangers.add(id);
    return known ?? this.importer;
  };

  /** How many people of the archive the importer stands for. */
  get replaced(): number {
    return this.strangers.size;
  }
}

const MAX_STRANGERS = 10_000;
