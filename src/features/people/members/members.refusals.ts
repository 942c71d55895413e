import { onlyOwner } from './account-members.service.js';
import { quotaExceeded } from '../../usage/quotas/quota-refusal.js';
import { isInvited } from './invitations/invitations.service.js';
import { isMember } from '../sessions/links/invitation-use.service.js';
import type { RouteRefusals } from '../../../platform/openapi/route-decorators.js';

export const MEMBERS = {
  change: [['Only owner', onlyOwner()]],
  remove: [['Only owner', onlyOwner()]],
} satisfies RouteRefusals;

export const INVITATIONS = {
  create: [
    ['Already a member', isMember()],
    ['Already invited', isInvited()],
    [
      'Too many members',
      quotaExceeded({ quota: 'members', limit: 3, used: 3, plan: 'free', requested: 1 }),
    ],
  ],
} satisfies RouteRefusals;
