import { CreationOrderDto } from '../../../../platform/http/pagination/page-query.dto.js';
import { Field } from '../../../../platform/openapi/field.js';

/** A service account is never an owner, so it cannot do what only people should: delete the account, for example. */
const SERVICE_ROLES = ['admin', 'member', 'viewer'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

const NameField = (options: { optional?: boolean } = {}) =>
  Field.text({ max: 100, notBlank: true, oneLine: true, example: 'Website sync', ...options });

const RoleField = (options: { optional?: boolean } = {}) =>
  Field.oneOf(SERVICE_ROLES, {
    description: 'Its keys can have the scopes of this role. Only a role whose scopes you have.',
    example: 'member',
    ...options,
  });

/** The query of `GET /v1/service-accounts`. */
export class ListServiceAccountsDto extends CreationOrderDto {
  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'Oldest first, or newest first.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';
}

/** The body of `POST /v1/service-accounts`. */
export class CreateServiceAccountDto {
  @NameField() name: string;
  @RoleField() role: ServiceRole;
}

/** The body of `PATCH /v1/service-accounts/{id}`: a JSON Merge Patch (RFC 7396). */
export class PatchServiceAccountDto {
  @NameField({ optional: true }) name?: string;
  @RoleField({ optional: true }) role?: ServiceRole;
}

/** A service account in responses. */
export class ServiceAccountDto {
  @Field.id('user') id: string;
  @Field.text({ max: 100, example: 'Website sync' }) name: string;

  @Field.oneOf(SERVICE_ROLES, {
    description: 'Limits what its keys can do, from the next request on.',
    example: 'member',
  })
  role: ServiceRole;

  @Field.integer({
    max: 1_000,
    description: 'Its keys that are neither revoked nor expired.',
    example: 2,
  })
  activeKeys: number;

  @Field.time({ nullable: true, description: 'When one of its keys was last used.' })
  lastUsedAt: string | null;

  @Field.time() createdAt: string;
}

/** The response to a deletion. */
export class DeletedServiceAccountDto {
  @Field.id('user') id: string;
  @Field.constant(true) deleted: true;
}
