import type { CreateKeyDto } from './create-key.dto.js';
import type { RotateKeyDto } from './rotate-key.dto.js';

type Examples<Body> = Readonly<Record<string, { summary: string; value: Body }>>;

/** Bodies of `POST /v1/keys` that the API document shows. */
export const CREATE_KEY_EXAMPLES: Examples<CreateKeyDto> = {
  forever: {
    summary: 'A key that never expires',
    value: { name: 'Build server', scopes: ['documents:read', 'documents:write'] },
  },
  restricted: {
    summary: 'A key with an end, for some addresses only',
    value: {
      name: 'Auditor',
      scopes: ['documents:read'],
      expiresAt: '2027-01-31T00:00:00Z',
      allowedIps: ['192.0.2.0/24', '2001:db8::/32'],
    },
  },
};

/** Bodies of `POST /v1/keys/{id}/rotate`. */
export const ROTATE_KEY_EXAMPLES: Examples<RotateKeyDto> = {
  dayOfGrace: { summary: 'The old key works for another day', value: {} },
  hourOfGrace: { summary: 'For another hour', value: { gracePeriodSeconds: 3600 } },
  atOnce: { summary: 'The old key leaked: end it now', value: { gracePeriodSeconds: 0 } },
};
