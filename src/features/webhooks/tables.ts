import {
  DeliveryAttemptEntity,
  WebhookClaimEntity,
  WebhookDeliveryEntity,
} from './entities/webhook-delivery.entity.js';
import { WebhookEntity } from './entities/webhook.entity.js';

export const WEBHOOKS_TABLES = [
  WebhookEntity,
  WebhookDeliveryEntity,
  DeliveryAttemptEntity,
  WebhookClaimEntity,
];
