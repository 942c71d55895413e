import type { Person } from '../../auth/person.js';
import type { ArchiveStore } from '../archive.repository.js';

const MAX_COUNTED = 10_000;

/** Maps people in an archive to users of the account: by ID, otherwise by email address, otherwise to the importing user. */
export class UserMapping {
  /** Ids of people without a matching user. */
  private readonly unmapped = new Set<string>();

  private constructor(
    private readonly ids: ReadonlySet<string>,
    private readonly byEmail: ReadonlyMap<string, string>,
    private readonly importer: string,
  ) {}

  /** `importer` is the UUID of the importing user. */
  static async load(
    store: ArchiveStore,
    accountId: string,
    importer: string,
  ): Promise<UserMapping> {
    const users = await store.readUsers(accountId);
    const byEmail = new Map(users.map(({ id, email }) => [email.toLowerCase(), id]));
    return new UserMapping(new Set(users.map(({ id }) => id)), byEmail, importer);
  }

  /** Returns the UUID of the user. */
  readonly userOf = ({ id, email }: Person): string => {
    if (this.ids.has(id)) return id;
    const known = this.byEmail.get(email.toLowerCase());
    if (known === undefined && this.unmapped.size < MAX_COUNTED) this.unmapped.add(id);
    return known ?? this.importer;
  };

  /** The number of people mapped to the importing user. */
  get replaced(): number {
    return this.unmapped.size;
  }
}
