import {
  type FieldProblem,
  invalidFields,
  notFound,
} from '../../platform/basics/errors/app-error.js';
import { eventProblems } from '../events/catalogue/catalogue.js';
import { quotaExceeded } from '../usage/quotas/quota-refusal.js';
import { type ReceiverPolicy, receiverUrlProblems } from './settings/receiver-url.js';
import { webhookIsDisabled } from './webhooks.service.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

/** The default policy: public networks and HTTPS only. */
const ONLY_PUBLIC: ReceiverPolicy = { webhookAllowedNetworks: [], webhookAllowHttp: false };

export const WEBHOOKS = {
  register: [
    ['Unknown name', invalidFields(eventProblems(['document.create']) as [FieldProblem])],
    [
      'Private address',
      invalidFields(receiverUrlProblems('https://10.0.0.7/', ONLY_PUBLIC) as [FieldProblem]),
    ],
    [
      'Quota exceeded',
      quotaExceeded({ quota: 'webhooks', limit: 5, used: 5, plan: 'free', requested: 1 }),
    ],
  ],
  patch: [['Unknown name', invalidFields(eventProblems(['document.create']) as [FieldProblem])]],
} satisfies RouteRefusals;

export const DELIVERIES = {
  read: [['Unknown delivery', notFound('delivery')]],
  redeliver: [
    ['Unknown delivery', notFound('delivery')],
    ['Disabled webhook', webhookIsDisabled()],
  ],
  recover: [['Disabled webhook', webhookIsDisabled()]],
  test: [['Disabled webhook', webhookIsDisabled()]],
} satisfies RouteRefusals;
