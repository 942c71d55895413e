import type { Scope } from '../../access/auth/scopes.js';
import { ExpiryField, NameField, RangesField, ScopesField } from './key-decorators.js';

/** The body of `POST /v1/keys`. */
export class CreateKeyDto {
  @NameField({ example: 'Build server' }) name: string;

  @ScopesField({
    description:
      'What the key may do; only what the key that makes it may do itself. `*` is everything.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: Scope[];

  @ExpiryField(
    'When the key stops working; at the latest when the key that makes it does. Omitted or null: never, which only a key without an end can give.',
  )
  expiresAt?: string | null;

  @RangesField({
    optional: true,
    ignoresNull: true,
    description:
      'Addresses and CIDR ranges the key may be used from, all within those of the key that makes it. Omitted or empty: all, which only a key for all addresses can give.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  })
  allowedIps?: string[] | null;
}
