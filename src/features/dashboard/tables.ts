import {
  ReceivedDeliveryEntity,
  TestReceiverEntity,
} from './receivers/entities/test-receiver.entity.js';

export const DASHBOARD_TABLES = [TestReceiverEntity, ReceivedDeliveryEntity];
