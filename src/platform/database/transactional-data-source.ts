import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { currentTransaction } from './transaction.js';

/**
 * A data source whose repositories join the caller's transaction. A repository that was injected once thus writes in the
 * transaction of each request, or on its own outside of one.
 */
export class TransactionalDataSource extends DataSource {
  /** A plain data source is not assignable to this type, because its repositories would write outside transactions. */
  declare protected readonly joinsTransactions: true;

  override getRepository<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
  ): Repository<Entity> {
    const repository = super.getRepository(target);
    return Object.defineProperty(repository, 'manager', {
      get: () => currentTransaction()?.manager ?? this.manager,
      configurable: true,
    });
  }
}
