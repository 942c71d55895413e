import type { Scope } from '../../access/auth/scopes.js';
import { AcceptsFields } from '../../../platform/openapi/field.js';
import { ExpiryField, NameField, RangesField, ScopesField } from './key-decorators.js';

/** The body of `PATCH /v1/keys/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['id', 'lastFour', 'revokedAt', 'lastUsedAt', 'createdAt', 'createdBy'])
export class PatchKeyDto {
  @NameField({ optional: true, example: 'Build server, Berlin' }) name?: string;

  @ScopesField({
    optional: true,
    description: 'In place of those before, all of which the key has: a key gets no further ones.',
    example: ['documents:read'],
  })
  scopes?: Scope[];

  @ExpiryField(
    'When the key stops working, earlier or later than before; at the latest when the key that asks does. Null: never, which only a key without an end can give.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    nullable: true,
    description:
      'In place of those before, all within those of the key that asks. Empty or null: all addresses, which only a key for all addresses can give.',
    example: ['192.0.2.0/24'],
  })
  allowedIps?: string[] | null;
}
