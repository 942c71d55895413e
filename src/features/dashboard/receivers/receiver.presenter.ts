import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { ReceivedDeliveryDto, ReceiverDto } from './dto/receiver.dto.js';
import type {
  ReceivedDeliveryEntity,
  TestReceiverEntity,
} from './entities/test-receiver.entity.js';

export function presentReceiver({ id, url, expiresAt }: TestReceiverEntity): ReceiverDto {
  return { id: encodeId('receiver', id), url, expiresAt: expiresAt.toISOString() };
}

export function presentReceived(delivery: ReceivedDeliveryEntity): ReceivedDeliveryDto {
  const { id, receivedAt, eventType, headers, body, signature } = delivery;
  return { id, receivedAt: receivedAt.toISOString(), eventType, headers, body, signature };
}
